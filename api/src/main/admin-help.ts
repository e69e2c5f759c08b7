import type { Command } from '../platform/command.ts'
import { features } from './features.ts'
import { commandsOf } from './merge-features.ts'

type Help = Pick<Command<object>, 'help' | 'usage'>

/** Commands that no feature owns. */
export const GENERAL_COMMANDS: Record<string, Help> = {
  migrate: { help: 'brings the database up to date' },
  configuration: { help: 'prints the variables that the processes read, as docs/configuration.md' },
  'maintenance-page': {
    help: 'prints the page of the balancer while no API responds, with the name and the phone number of the brand',
  },
  version: { help: 'prints the version' },
  commands: { help: 'prints these commands, as docs/operate/admin.md' },
}

const all = (): [name: string, help: Help][] =>
  [...Object.entries(commandsOf(features)), ...Object.entries(GENERAL_COMMANDS)].toSorted(
    ([a], [b]) => a.localeCompare(b),
  )

const head = (name: string, { usage = '' }: Help) => `${name} ${usage}`.trimEnd()

export function usageText(): string {
  const entries = all().map(
    ([name, command]) =>
      `  ${head(name, command)}\n      ${command.help.replaceAll('\n', '\n      ')}`,
  )
  return `Usage: npm run admin -- <command>\n\n${entries.join('\n')}`
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** `docs/operate/admin.md` */
export function commandsPage(): string {
  const sections = all().map(
    ([name, command]) =>
      `## \`${name}\`\n\n\`\`\`sh\nnpm run admin -- ${head(name, command)}\n\`\`\`\n\n` +
      sentence(command.help.replaceAll('\n', ' ')),
  )
  return `# Admin commands

Commands that use the database migrate it first. With compose, write
\`docker compose -f deploy/compose.yaml run --rm admin\` in place of \`npm run admin --\`.

Capital letters stand for values: \`E\` is an email address, \`F\` and \`L\` are the first and last name, \`S\` is a state, \`Q\` is
the name of a queue.

${sections.join('\n\n')}
`
}
