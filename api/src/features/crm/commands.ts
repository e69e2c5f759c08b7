import type { cursorStates } from '../../db/crm-cursors.ts'
import type { outboxState } from '../../db/crm-outbox.ts'
import type { latestUsage } from '../../db/crm-usage.ts'
import type { Command, CommandLine } from '../../platform/command.ts'

type Result<T extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<T>>

interface Status {
  mirror: Result<typeof cursorStates>
  usage: Result<typeof latestUsage>
  outbox: Result<typeof outboxState>
}

interface Services {
  crm: { status(): Promise<Status>; sendAgain(): Promise<number> }
}

function show({ mirror, usage, outbox }: Status, { print, table }: CommandLine): void {
  print(
    'Mirror: seconds since each kind was last read completely, when all its rows were last compared',
  )
  print('with the CRM, and the rows repaired in that comparison or the one under way:')
  table(mirror)
  print(
    usage
      ? `API calls used in the last 24 hours: ${usage.used} of ${usage.limit}.`
      : 'API calls used: not known yet.',
  )
  const age = outbox.waiting > 0 ? `, the oldest for ${outbox.oldestSeconds} s` : ''
  print(`Entries waiting to be sent: ${outbox.waiting}${age}.`)
  if (outbox.refusals.length === 0) return
  print('Refused by the CRM. Fix the cause there, then run `crm send-again`:')
  table(outbox.refusals)
}

export const crmCommands: Record<string, Command<Services>> = {
  'crm status': {
    usage: '[--json]',
    help: 'shows the lag of the CRM mirror, the API calls used, and the entries waiting to be sent',
    run: async ({ crm }, line) => {
      const status = await crm.status()
      if (line.options['json']) line.print(JSON.stringify(status))
      else show(status, line)
    },
  },
  'crm send-again': {
    help: 'sends all waiting entries to the CRM again, also those that it refused',
    run: async ({ crm }, { print }) =>
      print(`The entries of ${await crm.sendAgain()} veterans will be tried again.`),
  },
}
