import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Busy } from '../db/locks.ts'
import { readBrand } from '../platform/brand.ts'
import { UsageError } from '../platform/command.ts'
import type { CommandLine } from '../platform/command.ts'
import { createLog } from '../platform/log.ts'
import { version } from '../platform/version.ts'
import { commandsPage, GENERAL_COMMANDS, usageText } from './admin-help.ts'
import { composeAdmin, migrateAll } from './compose.ts'
import { configurationPage } from './config-page.ts'
import { configOrExit, DEVELOPMENT_ENV_FILE, startFolder } from './config.ts'
import { features } from './features.ts'
import { maintenancePage } from './maintenance-page.ts'
import { commandsOf } from './merge-features.ts'

const commands = commandsOf(features)

const option = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
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
    yes: flag,
    again: flag,
    json: flag,
    'if-missing': flag,
  },
})

const line: CommandLine = {
  options: values,
  input: async (prompt) => {
    if (prompt && process.stdin.isTTY) process.stderr.write(prompt)
    return text(process.stdin)
  },
  path: (typed) => resolve(startFolder(), typed),
  print: (message) => console.log(message),
  table: (rows) => console.table(rows),
}

const name = positionals.join(' ')
const pages: Record<string, () => string> = {
  configuration: configurationPage,
  commands: commandsPage,
  version: () => `${version}\n`,
}
const page = pages[name]
if (page) {
  process.stdout.write(page())
  process.exit(0)
}

const command = commands[name]
if (!command && !(name in GENERAL_COMMANDS)) {
  console.error(usageText())
  process.exit(positionals.length === 0 ? 0 : 1)
}

const config = configOrExit(DEVELOPMENT_ENV_FILE)
if (name === 'maintenance-page') {
  process.stdout.write(maintenancePage(readBrand(config.BRAND_DIR).brand))
  process.exit(0)
}
const log = createLog('error', 'admin')
await migrateAll(config, log)
const admin = await composeAdmin(config, log)
try {
  // Every command migrates first.
  if (command) await command.run(admin, line)
  else line.print('The database is up to date.')
} catch (error) {
  if (!(error instanceof UsageError || error instanceof Busy)) throw error
  const busy = 'A document is being sent to Box: run this again in a minute.'
  console.error(error instanceof Busy ? busy : error.message)
  process.exitCode = 1
} finally {
  await admin.close()
}
