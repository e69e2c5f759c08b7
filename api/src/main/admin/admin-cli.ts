import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { DEVELOPMENT_ENV_FILE, loadEnvironment, startFolder } from '../config/config.ts'
import { run } from '../run.ts'
import { admin } from './admin.ts'
import { ask } from './terminal.ts'

await run(async () => {
  const exitCode = await admin(process.argv.slice(2), () => loadEnvironment(DEVELOPMENT_ENV_FILE), {
    input: () => text(process.stdin),
    ask,
    path: (typed) => resolve(startFolder(), typed),
    print: (message) => console.log(message),
    table: (rows) => console.table(rows),
  })
  // Exits when the output is written, even if a connection is still open because its server does not respond.
  process.stdout.write('', () => process.exit(exitCode))
})
