import type { Command } from '../../platform/command.ts'
import type { uploadState } from './uploads.sql.ts'

interface Services {
  files: {
    status(): ReturnType<typeof uploadState>
    sendAgain(): Promise<number>
  }
}

export const documentCommands: Record<string, Command<Services>> = {
  'files status': {
    usage: '[--json]',
    help: 'shows the uploads that are not in Box yet; `refused` counts those that Box refused',
    run: async ({ files }, { options, print, table }) => {
      const status = await files.status()
      if (options['json']) print(JSON.stringify(status))
      else table(status)
    },
  },
  'files send-again': {
    help: 'sends all uploads to Box again that are not there yet, also those that Box refused',
    needsOperator: true,
    run: async ({ files }, { print }) =>
      print(`${await files.sendAgain()} documents will be tried again.`),
  },
}
