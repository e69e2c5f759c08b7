import { parseArgs } from 'node:util'
import { email } from '@guidon/contract/account'
import * as z from 'zod/mini'
import { readBrand } from '../../platform/brand.ts'
import { parsed, UsageError } from '../../platform/command.ts'
import type { CommandLine } from '../../platform/command.ts'
import { createLog } from '../../platform/log.ts'
import { withOperator } from '../../platform/operator.ts'
import type { Environment } from '../../platform/value-files.ts'
import { version } from '../../platform/version.ts'
import { composeAdmin, migrateAll } from '../compose/compose.ts'
import { features } from '../compose/features.ts'
import { commandsOf } from '../compose/merge-features.ts'
import { parseConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { configurationPage } from '../config/page.ts'
import { operatorName } from '../config/variables.ts'
import { doctor } from '../doctor/doctor.ts'
import { requireMigrations } from '../schema.ts'
import { commandsPage, helpFor, helpOf, usageText } from './admin-help.ts'
import { maintenancePage } from './maintenance-page.ts'

const commands = commandsOf(features)
const log = createLog('error', 'admin')

const option = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const OPTIONS = {
  email: option,
  'first-name': option,
  'last-name': option,
  phone: option,
  state: option,
  role: option,
  queue: option,
  subject: option,
  actor: option,
  out: option,
  from: option,
  to: option,
  operator: option,
  yes: flag,
  again: flag,
  json: flag,
  'if-missing': flag,
  help: flag,
}

function parsedArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    const [reason] = (error as Error).message.split('. ')
    throw new UsageError(`${reason}. \`npm run admin -- help\` lists all commands.`)
  }
}

type Options = CommandLine['options']
type GeneralCommand = (
  context: { options: Options; environment: () => Environment } & Pick<CommandLine, 'print'>,
) => Promise<number | void>

/** How `GENERAL_COMMANDS` run. Those that return no number exit with 0. */
const general: Record<string, GeneralCommand> = {
  configuration: async ({ print }) => print(configurationPage().trimEnd()),
  commands: async ({ print }) => print(commandsPage().trimEnd()),
  version: async ({ print }) => print(version),
  help: async ({ print }) => print(usageText()),
  'maintenance-page': async ({ print, environment }) => {
    const { brand } = readBrand(parseConfig(environment()).BRAND_DIR)
    print(maintenancePage(brand).trimEnd())
  },
  migrate: async ({ print, environment }) => {
    await migrateAll(parseConfig(environment()), log)
    print('The database is up to date.')
  },
  doctor: async ({ print, environment, options }) =>
    doctor(environment(), parsed(z.object({ to: z.optional(email) }), options), print),
}

function operatorOf({ operator }: Options, config: Config): string {
  const typed = typeof operator === 'string' ? operator.trim() : config.OPERATOR
  if (!typed) {
    throw new UsageError(
      'Who runs this command? Add `--operator NAME`, or set OPERATOR. The audit log records it.',
    )
  }
  const { data: name, error } = operatorName.safeParse(typed)
  if (name === undefined) throw new UsageError(`--operator ${error.issues[0]!.message}.`)
  return name
}

async function runFeatureCommand(name: string, line: CommandLine, config: Config): Promise<void> {
  const command = commands[name]!
  const operator = command.needsOperator && operatorOf(line.options, config)
  await requireMigrations(config, log)
  const services = await composeAdmin(config, log)
  try {
    if (!operator) return await command.run(services, line)
    await withOperator(operator, async () => {
      await services.recordCommand(name)
      await command.run(services, line)
    })
  } finally {
    await services.close()
  }
}

/** Runs one command. Returns the exit code; throws if the command fails. */
export async function admin(
  args: readonly string[],
  environment: () => Environment,
  terminal: Omit<CommandLine, 'options'>,
): Promise<number> {
  const { positionals, values: options } = parsedArguments(args)
  const [first, ...rest] = positionals
  const isHelpOnCommand = first === 'help' && rest.length > 0
  const name = (isHelpOnCommand ? rest : positionals).join(' ')
  const { print } = terminal
  if (name === '' || options.help || isHelpOnCommand) {
    print(name === '' ? usageText() : helpFor(name))
    return 0
  }
  const { usage = '' } = helpOf(name)
  const foreign = Object.keys(options).find((key) => !usage.includes(`--${key}`))
  if (foreign) throw new UsageError(`\`${name}\` has no option --${foreign}.`)
  const context = { options, environment, print }
  if (general[name]) return (await general[name](context)) ?? 0
  await runFeatureCommand(name, { ...terminal, options }, parseConfig(environment()))
  return 0
}
