import { UsageError } from '../../platform/command.ts'
import type { Command } from '../../platform/command.ts'
import { features } from '../compose/features.ts'
import { commandsOf } from '../compose/merge-features.ts'

type Help = Pick<Command<object>, 'help' | 'usage'>

/** Commands that no feature owns. */
export const GENERAL_COMMANDS: Record<string, Help> = {
  migrate: { help: 'brings the database up to date. No other command changes its schema' },
  doctor: {
    usage: '[--to E]',
    help:
      'checks everything that the portal uses, and prints one line for each. --to sends a test email to this address.\n' +
      'The exit code is 0 if all is well, 1 after a warning, 2 after a problem',
  },
  help: {
    usage: '[COMMAND]',
    help: 'lists all commands, or explains one of them. `COMMAND --help` does the same',
  },
  configuration: { help: 'prints the variables that the processes read, as docs/configuration.md' },
  'maintenance-page': {
    help: 'prints the page of the balancer while no API responds, with the name and the phone number of the brand',
  },
  version: { help: 'prints the version' },
  commands: { help: 'prints these commands, as docs/operate/admin.md' },
}

const OPERATOR_USAGE = '[--operator NAME]'

const withOperatorOption = ({ help, usage = '', needsOperator }: Command<object>): Help => ({
  help,
  usage: needsOperator ? `${usage} ${OPERATOR_USAGE}`.trimStart() : usage,
})

const all = (): [name: string, help: Help][] =>
  [
    ...Object.entries(commandsOf(features)).map(([name, command]): [string, Help] => [
      name,
      withOperatorOption(command),
    ]),
    ...Object.entries(GENERAL_COMMANDS),
  ].toSorted(([a], [b]) => a.localeCompare(b))

export function helpOf(name: string): Help {
  const [, help] = all().find(([known]) => known === name) ?? []
  if (help) return help
  throw new UsageError(
    `There is no command \`${name}\`. \`npm run admin -- help\` lists all commands.`,
  )
}

const head = (name: string, { usage = '' }: Help) => `${name} ${usage}`.trimEnd()
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The help of one command. */
export function helpFor(name: string): string {
  const help = helpOf(name)
  return `Usage: npm run admin -- ${head(name, help)}\n\n${sentence(help.help)}`
}

export function usageText(): string {
  const entries = all().map(
    ([name, command]) =>
      `  ${head(name, command)}\n      ${command.help.replaceAll('\n', '\n      ')}`,
  )
  return `Usage: npm run admin -- <command>\n\n${entries.join('\n')}`
}

/** `docs/operate/admin.md` */
export function commandsPage(): string {
  const sections = all().map(
    ([name, command]) =>
      `## \`${name}\`\n\n\`\`\`${command.usage ? 'text' : 'sh'}\nnpm run admin -- ${head(name, command)}\n\`\`\`\n\n` +
      sentence(command.help.replaceAll('\n', ' ')),
  )
  return `# Admin commands

Only \`migrate\` changes the schema of the database. The other commands refuse a database that is not up to date, and
name what is missing. With compose, write \`docker compose -f deploy/compose.yaml run --rm admin\` in place of
\`npm run admin --\`.

Commands with \`--operator\` change or export data, and the audit log records who ran them: name yourself with this
option or in the variable \`OPERATOR\`. A command that fails says why, and exits with 1. With \`LOG_LEVEL=debug\`, it also
prints a stack trace, which can contain personal data.

Capital letters stand for values: \`E\` is an email address, \`F\` and \`L\` are the first and last name, \`S\` is a state, \`Q\` is
the name of a queue.

${sections.join('\n\n')}
`
}
