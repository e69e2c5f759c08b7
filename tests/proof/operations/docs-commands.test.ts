import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { blocksOf, COMMAND_LANGUAGES } from '@guidon/sandbox/page-blocks'
import type { Block } from '@guidon/sandbox/page-blocks'
import { expect, it } from 'vitest'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly } from '../size.ts'
import { NativeCompose } from './docs-commands/compose.ts'
import { startMachine } from './docs-commands/machine.ts'
import type { Machine } from './docs-commands/machine.ts'

const PAGES = resolve(import.meta.dirname, '../../../docs/operate')
/** The order in which an operator reads the pages: the first installs, the last erases. Pages not listed come after. */
const ORDER = [
  'deploy',
  'README',
  'brand',
  'salesforce',
  'box',
  'mail',
  'monitoring',
  'runbooks',
  'keys',
  'admin',
  'sizing',
  'upgrade',
  'records',
]

/** What an operator types when a command asks. */
const INPUT: [RegExp, string][] = [
  [/create-user /, 'Correct-Horse-42-Battery\n'],
  [/erase --email maria@example\.org/, 'maria@example.org\n'],
]
/** Commands whose exit code is not 0 although they work: grep finds nothing. */
const MAY_EXIT_1 = /\| grep /

/** Who runs the commands; some ask for it. */
const OPERATOR = 'OPERATOR=ada'

const PEOPLE = ['maria', 'tom'].map((name) => ({
  email: `${name}@example.org`,
  password: 'Correct-Horse-42-Battery',
  firstName: name,
  lastName: 'Berg',
  phone: '6195550134',
  state: 'California',
  role: name === 'tom' ? 'STAFF' : 'USER',
}))

type Compose = NativeCompose
const allPages = readdirSync(PAGES)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))
const inOrder = [...ORDER, ...allPages.filter((name) => !ORDER.includes(name))]
const readPage = (name: string) =>
  blocksOf(`${name}.md`, readFileSync(join(PAGES, `${name}.md`), 'utf8'))

/** Does the steps that a page describes in words after a block. */
async function doByHand(block: Block, output: string, machine: Machine, compose: Compose) {
  if (block.text.includes('cp deploy/example.env deploy/.env')) {
    const file = join(machine.repository, 'deploy/.env')
    const trial = readFileSync(join(machine.repository, 'deploy/trial.env'), 'utf8')
    const values = trial.split('\n').filter((line) => /^(?:SALESFORCE|BOX|SMTP)_/.test(line))
    writeFileSync(file, [readFileSync(file, 'utf8'), ...values, OPERATOR].join('\n'))
    await compose.startSandboxes()
  }
  if (output.includes('Still missing')) {
    const secrets = join(machine.repository, 'deploy/secrets')
    writeFileSync(join(secrets, 'smtp-url'), 'smtp://mailbox:2525\n')
    writeFileSync(join(secrets, 'salesforce-client-secret'), 'for-development-only\n')
    writeFileSync(join(secrets, 'box-client-secret'), 'sandbox-secret\n')
    const key = 'openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout - -out -'
    await machine.run(['sh', '-c', `${key} > deploy/secrets/tls.pem 2>/dev/null`], {})
  }
}

/** Does the steps that a page describes in words before a block. */
function prepareByHand(block: Block, { repository }: Machine) {
  if (block.text.startsWith('promtool check config')) {
    cpSync(join(repository, 'deploy/monitoring'), repository, { recursive: true })
  }
  if (!block.text.includes('--wait api-3')) return
  const change = (file: string, from: string, to: string) => {
    const path = join(repository, 'deploy', file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
  }
  change('compose.yaml', 'api-2: *api', 'api-2: *api\n  api-3: *api')
  change('haproxy.cfg', '    server api-2', '    server api-3 api-3:3000\n    server api-2')
}

async function runBlock(block: Block, machine: Machine, compose: Compose) {
  prepareByHand(block, machine)
  const env = {
    OPERATOR: 'ada',
    ...compose.adminEnvironment(),
    npm_config_update_notifier: 'false',
  }
  if (/(?:maria|tom)@example\.org/.test(block.text)) {
    const create = ['npm', 'run', 'admin', '--', 'create-users', '--if-missing']
    const { status, output } = await machine.run(create, env, JSON.stringify(PEOPLE))
    if (status !== 0) return output
  }
  const command =
    block.language === 'sql'
      ? 'docker compose -f deploy/compose.yaml exec -T postgres psql --username=postgres --set=ON_ERROR_STOP=1 guidon'
      : block.text
  const typed = INPUT.find(([pattern]) => pattern.test(block.text))?.[1] ?? ''
  const input = block.language === 'sql' ? block.text : typed
  const { status, output } = await machine.run(['bash', '-ec', command], env, input)
  await doByHand(block, output, machine, compose)
  const isOk = status === 0 || (status === 1 && MAY_EXIT_1.test(block.text))
  if (!isOk) return `exit code ${status}\n${output}`
  // Runbooks describe what is shown during a problem.
  const shows = block.page === 'runbooks.md' ? '' : (block.shows ?? '')
  return output.replaceAll(/\s+/g, ' ').includes(shows)
    ? undefined
    : `does not show ${block.shows}\n${output}`
}

it('the commands of the pages for operators run as they stand there', fullSizeOnly, async () => {
  await using parts = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'guidon-docs-'))
  parts.defer(() => rmSync(folder, { recursive: true, force: true }))
  const machine = await startMachine(folder)
  parts.defer(() => machine.stop())
  const compose = new NativeCompose(machine)
  parts.defer(() => compose.stop())
  const close = await machine.serveDocker((args, input) => compose.handle(args, input))
  parts.defer(() => close())

  const started = performance.now()
  const commands = inOrder
    .flatMap(readPage)
    .filter(({ language }) => COMMAND_LANGUAGES.includes(language))
  const failures: string[] = []
  let ran = 0
  for (const block of commands.filter(({ notRun }) => notRun === undefined)) {
    const at = performance.now()
    const failure = await runBlock(block, machine, compose)
    ran += 1
    const seconds = ((performance.now() - at) / 1000).toFixed(1)
    const name = `${block.page}:${block.line}`
    const result = failure === undefined ? 'ran' : `FAILED ${failure}`
    process.stdout.write(`${name} (${seconds} s) ${result}\n`)
    if (failure !== undefined) failures.push(`${name}\n${failure}`)
  }
  const marked = commands.filter(({ notRun }) => notRun !== undefined)
  for (const { page, line, notRun } of marked) {
    process.stdout.write(`not run ${page}:${line}: ${notRun}\n`)
  }
  figures('code blocks with commands', {
    pages: inOrder.length,
    blocks: commands.length,
    ran,
    marked: marked.length,
    failed: failures.length,
    seconds: Math.round((performance.now() - started) / 1000),
  })
  headline.sum({
    blocks: commands.length,
    ran,
    'marked as not run': marked.length,
    failed: failures.length,
  })
  expect(failures).toEqual([])
})
