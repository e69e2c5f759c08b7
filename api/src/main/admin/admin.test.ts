import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connected, emptyDatabase, migratedDatabase } from '@guidon/tests/databases'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { readMapping } from '../../crm/salesforce/mapping.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import type { Environment } from '../../platform/value-files.ts'
import { explained } from '../run.ts'
import { admin } from './admin.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-admin-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const environment = { ...inject('environment'), DATABASE_URL: await migratedDatabase() }
const sql = await connected(environment.DATABASE_URL)
afterAll(() => sql.end())

/** Runs a command without a terminal. */
async function run(args: readonly string[], changes: Environment = {}, input = '') {
  const lines: string[] = []
  const exitCode = await admin(args, () => ({ ...environment, ...changes }), {
    input: async () => input,
    ask: async () => input,
    path: (typed) => typed,
    print: (line) => void lines.push(line),
    table: (rows) => void lines.push(JSON.stringify(rows)),
  })
  expect(exitCode).toBe(0)
  return lines.join('\n')
}

/** The words that the operator reads when a command fails. */
const failure = (...given: Parameters<typeof run>) =>
  run(...given).then(
    (printed) => `did not fail: ${printed}`,
    (error: unknown) => explained(error) ?? 'not explained',
  )

const newEmail = () => `${randomUUID()}@example.com`
const createUser = (email: string) =>
  `create-user --email ${email} --first-name Ada --last-name Berg --phone 6195550134 --state Ohio --role USER`.split(
    ' ',
  )
const by = (operator: string) => ['--operator', operator]
const PASSWORD = 'Harbor-Lantern-42!'

describe('help', () => {
  it.each([[['help', 'set-role']], [['set-role', '--help']]])(
    'explains one command: %j',
    async (args) => {
      const printed = await run(args)
      expect(printed).toMatch(/^Usage: npm run admin -- set-role --email E .*--operator NAME\]\n/)
      expect(printed).toContain("Changes a role and ends the account's sessions.")
    },
  )

  it.each([[[]], [['--help']], [['help']]])('lists all commands: %j', async (args) => {
    const printed = await run(args)
    expect(printed).toContain('  crm send-again [--operator NAME]\n')
    expect(printed).toContain('  doctor [--to E]\n')
  })
})

describe('a failure is explained', async () => {
  const empty = await emptyDatabase()
  const url = environment.DATABASE_URL
  const closed = url.replace(/:\d+\//, ':1/')
  const otherPassword = url.replace(/:[^:@]+@/, ':other@')
  const noDatabase = url.replace(/\/\w+$/, '/none')
  const email = ['--email', 'a@example.com']

  const FAILURES: [what: string, args: string[], changes: Environment, words: RegExp][] = [
    ['an unknown command', ['unlokc'], {}, /no command `unlokc`/],
    ['help for an unknown command', ['help', 'unlokc'], {}, /no command `unlokc`/],
    ['an unknown option', ['jobs', '--all'], {}, /^Unknown option '--all'\. `npm run/],
    ['an option of another command', ['jobs', ...email], {}, /`jobs` has no option --email/],
    ['a missing variable', ['jobs'], { TOKEN_KEY: undefined }, /TOKEN_KEY: is missing/],
    ['a wrong TRUST_PROXY', ['jobs'], { TRUST_PROXY: 'us' }, /TRUST_PROXY: must be addresses/],
    ['the database is down', ['jobs'], { DATABASE_URL: closed }, /reached \(ECONNREFUSED\)/],
    ['a wrong password', ['jobs'], { DATABASE_URL: otherPassword }, /refused the password/],
    ['no such database', ['jobs'], { DATABASE_URL: noDatabase }, /no database of this name/],
    ['before migrate', ['jobs'], { DATABASE_URL: empty }, /lacks 0001_.*`npm run .*migrate/],
    ['an unknown queue', ['send-again', '--queue', 'x', ...by('Ada')], {}, /auth\.send-code/],
    ['no brand', ['maintenance-page'], { BRAND_DIR: folder }, /\.svg cannot be read \(ENOENT\)/],
    ['a folder that exists', ['export', ...email, '--out', folder, ...by('Ada')], {}, /exists/],
    ['no file', ['erase', '--again', '--from', '/none', ...by('Ada')], {}, /\(ENOENT\)/],
    ['no operator', ['unlock', ...email], {}, /Add `--operator NAME`, or set OPERATOR/],
    ['an empty operator', ['unlock', ...email, ...by(' ')], {}, /Add `--operator NAME`/],
    ['a test email to no address', ['doctor', '--to', 'ada'], {}, /to: Enter a valid email/],
  ]
  it.each(FAILURES)('%s', async (_, args, changes, words) => {
    expect(await failure(args, changes)).toMatch(words)
  })

  it.each([
    ['101 characters', 'a'.repeat(101)],
    ['a line break', 'Ada\nGrace'],
    ['an escape sequence', '\u001b[2JAda'],
    ['the email of an account', 'a@b'],
  ])('an operator with %s, in the option and in the variable', async (_, operator) => {
    const rule = 'must have 1 to 100 characters, without @ and control characters'
    expect(await failure(['unlock', ...email, ...by(operator)])).toBe(`--operator ${rule}.`)
    expect(await failure(['unlock', ...email], { OPERATOR: operator })).toContain(
      `OPERATOR: ${rule}`,
    )
  })

  it.each([
    [{ code: 'EADDRINUSE', syscall: 'listen', port: 9100 }, 'set PORT or METRICS_PORT'],
    [{ code: 'EACCES', syscall: 'listen', port: 80 }, 'may not listen on port 80'],
    [{ code: '57014' }, 'took too long'],
  ])('%j', (properties, words) => {
    expect(explained(Object.assign(new Error('x'), properties))).toContain(words)
  })

  it('input that is not JSON, without quoting it', async () => {
    const input = '[{"password": "Secret-1'
    const words = await failure(['create-users', ...by('Ada')], {}, input)
    expect(words).toBe('Standard input is not valid JSON.')
  })

  it.each([
    ['{', /a\.json is not valid JSON/],
    ['{"contact":{"shoeSize":"X"}}', /a\.json is invalid:.*shoeSize/s],
  ])('a mapping file: %s', (content, words) => {
    expect(() => readMapping(file('a.json', content))).toThrow(OperatorError)
    expect(() => readMapping(file('a.json', content))).toThrow(words)
  })

  it('a password, by the rules that it breaks', async () => {
    const words = await failure([...createUser(newEmail()), ...by('Ada')], {}, 'harborlantern')
    expect(words).toContain('password: At least one digit')
    expect(words).toContain('password: At least one uppercase letter')
    expect(words).not.toContain('lowercase')
    expect(words).not.toContain('harborlantern')
  })
})

it('no command migrates, except migrate', async () => {
  const changes = { DATABASE_URL: await emptyDatabase() }
  const client = await connected(changes.DATABASE_URL)
  const tables = async () =>
    (await client.query('select from pg_tables where schemaname = $1', ['public'])).rowCount
  await failure(['jobs'], changes)
  expect(await tables()).toBe(0)
  expect(await run(['migrate'], changes)).toBe('The database is up to date.')
  expect(await tables()).toBeGreaterThan(10)
  expect(await run(['jobs'], changes)).toContain('auth.send-code')
  await client.query(`delete from pgboss.queue where name = 'audit.seal'`)
  expect(await failure(['jobs'], changes)).toContain('lacks queue audit.seal.')
  await client.end()
})

describe('the audit log', () => {
  const eventsOf = async (operator: string) => {
    const { rows } = await sql.query<{ event: string; command: string | null }>(
      `select event, details ->> 'command' as command from audit_events
       where details ->> 'operator' = $1 order by transaction, id`,
      [operator],
    )
    return rows.map(({ event, command }) => (command ? `${event} ${command}` : event))
  }

  it('names the operator of the option, or else of the variable', async () => {
    const email = newEmail()
    await run(createUser(email), { OPERATOR: 'Grace' }, PASSWORD)
    await run(['unlock', '--email', email, ...by('Barbara')], { OPERATOR: 'Grace' })
    expect(await eventsOf('Grace')).toEqual([
      'admin_command_started create-user',
      'account_created',
    ])
    expect(await eventsOf('Barbara')).toEqual(['admin_command_started unlock', 'account_unlocked'])
    expect(await run(['audit', '--subject', email])).toContain('"by":"operator Grace"')
  })

  it('names the operator of a command that is about no account', async () => {
    await run(['send-again', '--queue', 'auth.send-code', ...by('Linus')])
    expect(await eventsOf('Linus')).toEqual(['admin_command_started send-again'])
    expect(await run(['audit', '--actor', 'Linus'])).toContain('"admin_command_started"')
  })

  it('finds an account by its email in capital letters, and says if there are no events', async () => {
    await run([...createUser('tom@example.org'), ...by('Ada')], {}, PASSWORD)
    await sql.query(
      `insert into audit_events (event, actor_id) select 'signed_in', id from users where email = $1`,
      ['tom@example.org'],
    )
    expect(await run(['audit', '--actor', 'Tom@Example.org'])).toContain('"by":"tom@example.org"')
    expect(await run(['audit', '--actor', 'Nobody'])).toContain('No events by Nobody.')
    expect(await run(['audit', '--subject', 'no@example.org'])).toContain(
      'No events about no@example.org.',
    )
  })

  it('is exported to a veteran without the name of the operator', async () => {
    const email = newEmail()
    await run([...createUser(email), ...by('Margaret')], {}, PASSWORD)
    const out = join(folder, 'record')
    await run(['export', '--email', email, '--out', out, ...by('Margaret')])
    const record = readFileSync(join(out, 'record.json'), 'utf8')
    expect(record).toMatch(/"account_created"[^]+"by": "someone else"/)
    expect(record).not.toContain('Margaret')
  })
})
