import { join, resolve } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startClamd } from '@guidon/sandbox/clamd'
import { freePort } from '@guidon/sandbox/free-port'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { expect, it } from 'vitest'
import { doctor } from '../../../api/src/main/doctor/doctor.ts'
import { runAdmin } from '../../support/admin-process.ts'
import { afterFile } from '../../support/after-file.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { startRelay } from '../../support/smtp-relay.ts'
import { headline, markdownTable } from '../figures.ts'
import { isFullSize } from '../size.ts'
import { startHealthySystem } from './doctor-system.ts'

const DAY_MS = 86_400_000
const TO = 'operator@example.org'

const system = await startHealthySystem()
const { environment, databaseUrls, certificates, salesforce, box, sql } = system
setDefaultCACertificates([...getCACertificates(), certificates.pem])
const nothing = await freePort()
const oldScanner = await startClamd([], undefined, new Date(Date.now() - 5 * DAY_MS))
afterFile(() => oldScanner.close())

const relayWith = async (replies: Record<string, string>) =>
  (await startRelay(replies)).url.replace('//', '//portal:mail-secret@')

interface Broken {
  part: string
  /** Variables that differ from those of the healthy system. */
  set?(): Record<string, string | undefined> | Promise<Record<string, string | undefined>>
  break?(): Promise<unknown>
  repair?: (() => Promise<unknown>) | undefined
  now?: (() => number) | undefined
  /** The subjects that report it, and the beginning of what the first one says. */
  subjects: string[]
  line: RegExp
  exit: 1 | 2
  needsRoot?: true
}

const BROKEN: Broken[] = [
  {
    part: 'a variable is missing',
    set: () => ({ DATA_KEYS: undefined }),
    subjects: ['configuration'],
    line: /DATA_KEYS is missing/,
    exit: 2,
  },
  {
    part: 'the keys of password hashes are missing',
    set: () => ({ PASSWORD_PEPPER: undefined }),
    subjects: ['configuration'],
    line: /PASSWORD_PEPPER is missing/,
    exit: 2,
  },
  {
    part: 'two variables are wrong',
    set: () => ({ DATABASE_URL: 'guidon', TRUST_PROXY: 'the balancer' }),
    subjects: ['configuration', 'database', 'roles', 'migrations'],
    line: /DATABASE_URL .*; TRUST_PROXY must be/,
    exit: 2,
  },
  {
    part: 'brand folder missing',
    set: () => ({ BRAND_DIR: '/nonexistent' }),
    subjects: ['brand'],
    line: /cannot be used: .*ENOENT/,
    exit: 2,
  },
  {
    part: 'legal texts are samples',
    set: () => ({ BRAND_DIR: resolve(import.meta.dirname, '../../../brand') }),
    subjects: ['brand'],
    line: /still samples/,
    exit: 1,
  },
  {
    part: 'database not running',
    set: () => ({ DATABASE_URL: `postgresql://guidon_web:web-secret@127.0.0.1:${nothing}/guidon` }),
    subjects: ['database', 'roles', 'migrations'],
    line: /cannot be reached \(ECONNREFUSED\)/,
    exit: 2,
  },
  {
    part: 'wrong password of the database',
    set: () => ({ DATABASE_URL: databaseUrls.web.replace('web-secret', 'other-secret') }),
    subjects: ['database', 'roles', 'migrations'],
    line: /refused the password/,
    exit: 2,
  },
  {
    part: 'database read-only',
    break: () => sql('alter database guidon set default_transaction_read_only = on'),
    repair: () => sql('alter database guidon reset default_transaction_read_only'),
    subjects: ['database'],
    line: /is read-only/,
    exit: 2,
  },
  {
    part: 'replica not running',
    set: () => ({ DATABASE_READ_URL: databaseUrls.web.replace(/:\d+\//, `:${nothing}/`) }),
    subjects: ['replica'],
    line: /does not respond/,
    exit: 1,
  },
  {
    part: 'replica is a primary',
    set: () => ({ DATABASE_READ_URL: databaseUrls.web }),
    subjects: ['replica'],
    line: /leads to a primary/,
    exit: 1,
  },
  {
    part: 'login is a superuser',
    set: () => ({ DATABASE_URL: databaseUrls.superuser }),
    subjects: ['roles'],
    line: /is a superuser/,
    exit: 1,
  },
  {
    part: 'login owns the tables',
    break: () => sql('grant guidon_app to guidon_owner'),
    set: () => ({ DATABASE_URL: databaseUrls.owner }),
    repair: () => sql('revoke guidon_app from guidon_owner'),
    subjects: ['roles'],
    line: /may change the audit log/,
    exit: 1,
  },
  {
    part: 'role guidon_app missing',
    break: () => sql('alter role guidon_app rename to other'),
    repair: () => sql('alter role other rename to guidon_app'),
    subjects: ['roles'],
    line: /no role guidon_app/,
    exit: 2,
  },
  {
    part: 'login without the role',
    set: () => ({ DATABASE_URL: databaseUrls.stranger }),
    subjects: ['roles', 'migrations'],
    line: /lacks a permission/,
    exit: 2,
  },
  {
    part: 'a table that the role may not read',
    break: () => sql('revoke select on notices from guidon_app'),
    repair: () => sql('grant select on notices to guidon_app'),
    subjects: ['roles'],
    line: /lacks select on notices/,
    exit: 2,
  },
  {
    part: 'a table that the role may not insert into',
    break: () => sql('revoke insert on notices from guidon_app'),
    repair: () => sql('grant insert on notices to guidon_app'),
    subjects: ['roles'],
    line: /lacks insert on notices/,
    exit: 2,
  },
  {
    part: 'queues that the role may not use',
    break: () => sql('revoke usage on schema pgboss from guidon_app'),
    repair: () => sql('grant usage on schema pgboss to guidon_app'),
    subjects: ['roles', 'migrations'],
    line: /lacks usage on schema pgboss/,
    exit: 2,
  },
  {
    part: 'migrations missing',
    break: () =>
      sql(`update kysely_migration set name = 'x' || name where name = '0001_baseline.sql'`),
    repair: () => sql(`update kysely_migration set name = substr(name, 2) where name like 'x%'`),
    subjects: ['migrations'],
    line: /lacks 0001_baseline\.sql/,
    exit: 2,
  },
  {
    part: 'migrations of a newer release',
    break: () => sql(`insert into kysely_migration values ('9999_next.sql', now())`),
    repair: () => sql(`delete from kysely_migration where name = '9999_next.sql'`),
    subjects: ['migrations'],
    line: /newer release .*9999_next\.sql/,
    exit: 1,
  },
  {
    part: 'partitions of the next days missing',
    break: () =>
      sql(`do $$
        declare each regclass;
        begin
          for each in select oid from pg_class where relnamespace = 'partitions'::regnamespace
            and relkind = 'r' and relname ~ '^challenges_\\d+$'
            and relname > 'challenges_' || to_char(now() at time zone 'UTC', 'YYYYMMDD')
          loop execute 'drop table ' || each; end loop;
        end $$`),
    repair: () => sql(`do $$ begin while make_partition() is not null loop end loop; end $$`),
    subjects: ['migrations'],
    line: /challenges lack partitions/,
    exit: 1,
  },
  {
    part: 'Salesforce field hidden',
    break: () => salesforce.hide(['Contact.Email']),
    repair: () => salesforce.hide([]),
    subjects: ['Salesforce'],
    line: /Contact has no field Email/,
    exit: 2,
  },
  {
    part: 'wrong secret of Salesforce',
    set: () => ({ SALESFORCE_CLIENT_SECRET: 'other-secret' }),
    subjects: ['Salesforce'],
    line: /refused the login/,
    exit: 2,
  },
  {
    part: '85 % of the Salesforce calls used',
    break: async () => salesforce.setUsed((await salesforce.stats()).max * 0.85),
    repair: () => salesforce.setUsed(0),
    subjects: ['Salesforce'],
    line: /calls of the last 24 hours are used/,
    exit: 1,
  },
  {
    part: 'Salesforce does not respond',
    break: () => salesforce.fault({ mode: 'hang' }),
    repair: () => salesforce.fault({ mode: 'none' }),
    subjects: ['Salesforce'],
    line: /TIMEOUT/,
    exit: 2,
  },
  {
    part: 'Box folder missing',
    set: () => ({ BOX_ROOT_FOLDER_ID: '404404' }),
    subjects: ['Box'],
    line: /does not exist/,
    exit: 2,
  },
  {
    part: 'wrong secret of Box',
    set: () => ({ BOX_CLIENT_SECRET: 'other-secret' }),
    subjects: ['Box'],
    line: /refused the login/,
    exit: 2,
  },
  {
    part: 'Box full',
    break: () => box.setSpace(10e9, 10e9),
    repair: () => box.setSpace(-1, 0),
    subjects: ['Box'],
    line: /is full: 0 MB/,
    exit: 2,
  },
  {
    part: 'Box almost full',
    break: () => box.setSpace(10e9, 9.5e9),
    repair: () => box.setSpace(-1, 0),
    subjects: ['Box'],
    line: /almost full: 500 MB/,
    exit: 1,
  },
  {
    part: 'BOX_SHARE, the number of our workers, is not a number',
    set: () => ({ BOX_SHARE: 'two' }),
    subjects: ['configuration', 'Box'],
    line: /BOX_SHARE/,
    exit: 2,
  },
  {
    part: 'scanner not running',
    set: () => ({ CLAMD_ADDRESS: `127.0.0.1:${nothing}` }),
    subjects: ['scanner'],
    line: /does not respond/,
    exit: 2,
  },
  {
    part: 'no checker running',
    set: () => ({ CHECKER_SOCKETS: '/run/nowhere/checker.sock' }),
    subjects: ['checker'],
    line: /0 of 1 respond/,
    exit: 2,
  },
  {
    part: 'one of two checkers not running',
    set: () => ({
      CHECKER_SOCKETS: `${system.environment['CHECKER_SOCKETS']},/run/nowhere/checker.sock`,
    }),
    subjects: ['checker'],
    line: /1 of 2 respond/,
    exit: 1,
  },
  {
    part: 'signatures 5 days old',
    set: () => ({ CLAMD_ADDRESS: oldScanner.address }),
    subjects: ['scanner'],
    line: /5 days old/,
    exit: 1,
  },
  {
    part: 'relay not running',
    set: () => ({ SMTP_URL: `smtp://127.0.0.1:${nothing}` }),
    subjects: ['relay'],
    line: /cannot be reached/,
    exit: 2,
  },
  {
    part: 'wrong password of the relay',
    set: async () => ({ SMTP_URL: await relayWith({ AUTH: '535 5.7.8 wrong password' }) }),
    subjects: ['relay'],
    line: /refused our login \(535\)/,
    exit: 2,
  },
  {
    part: 'relay refuses the sender',
    set: async () => ({ SMTP_URL: await relayWith({ MAIL: '550 5.1.8 sender refused' }) }),
    subjects: ['relay'],
    line: /refused the email \(550\)/,
    exit: 2,
  },
  {
    part: 'relay refuses the recipient',
    set: async () => ({ SMTP_URL: await relayWith({ RCPT: '550 5.1.1 no such user' }) }),
    subjects: ['relay'],
    line: /refused the recipient/,
    exit: 2,
  },
  {
    part: 'clock 10 minutes ahead',
    now: () => Date.now() + 600_000,
    subjects: ['clock'],
    line: /(599|600|601) s ahead of/,
    exit: 2,
  },
  {
    part: 'clock 20 seconds behind',
    now: () => Date.now() - 20_000,
    subjects: ['clock'],
    line: /(19|20|21) s behind/,
    exit: 1,
  },
  {
    part: 'disk with 50 MB',
    set: () => {
      const disk = smallDisk(50)
      afterFile(disk.remove)
      return { UPLOAD_DIR: join(disk.path, 'uploads') }
    },
    subjects: ['disk'],
    line: /5\d MB are free/,
    exit: 2,
    needsRoot: true,
  },
  {
    part: 'upload folder not usable',
    set: () => ({ UPLOAD_DIR: '/proc/uploads' }),
    subjects: ['disk'],
    line: /\/proc is not writable/,
    exit: 2,
  },
  {
    part: 'certificate with 10 days left',
    set: async () => ({ PUBLIC_URL: await certificates.serve('localhost', 11) }),
    subjects: ['certificate'],
    line: /expires in 10 days/,
    exit: 1,
  },
  {
    part: 'certificate of another name',
    set: async () => ({ PUBLIC_URL: await certificates.serve('other.example.org', 90) }),
    subjects: ['certificate'],
    line: /for another name/,
    exit: 2,
  },
  {
    part: 'certificate self-signed',
    set: async () => ({ PUBLIC_URL: await certificates.serve('localhost', 80, 'self-signed') }),
    subjects: ['certificate'],
    line: /It is self-signed/,
    exit: 2,
  },
  {
    part: 'nothing listens at PUBLIC_URL',
    set: () => ({ PUBLIC_URL: `https://localhost:${nothing}` }),
    subjects: ['certificate'],
    line: /Nothing at PUBLIC_URL/,
    exit: 2,
  },
]

interface Examination extends Pick<Broken, 'now' | 'repair'> {
  changes?: Record<string, string | undefined> | undefined
}

const rows: [part: string, line: string, exit: number][] = []

async function examine({ changes = {}, now = Date.now, repair }: Examination = {}) {
  const lines: string[] = []
  try {
    const options = { to: TO, now }
    const exit = await doctor({ ...environment, ...changes }, options, (line) => lines.push(line))
    return { lines, exit }
  } finally {
    await repair?.()
  }
}

const SECRETS = [
  'web-secret',
  'other-secret',
  'mail-secret',
  TO,
  environment['TOKEN_KEY']!,
  environment['SALESFORCE_CLIENT_SECRET']!,
  environment['BOX_CLIENT_SECRET']!,
]

it('a healthy system has fourteen lines with ok, exits with 0, and the test email arrives', async () => {
  const { stdout, stderr, status } = await runAdmin(['doctor', '--to', TO], {
    ...environment,
    NODE_EXTRA_CA_CERTS: certificates.file,
  })
  const lines = stdout.trimEnd().split('\n')
  rows.push(...lines.map((line): [string, string, number] => ['none', line, status!]))
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  expect(lines).toHaveLength(14)
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
  const mails = await new MailboxClient(system.mailboxUrl).mailsTo(TO)
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Test email of /)])
})

it.each(BROKEN.filter(({ needsRoot }) => isFullSize || !needsRoot))(
  'reports it, and examines everything else: $part',
  async ({ part, set, break: breakIt, repair, now, subjects, line, exit: expected }) => {
    const changes = await set?.()
    await breakIt?.()
    const { lines, exit } = await examine({ changes, now, repair })
    const found = lines.filter((each) => !each.startsWith('ok '))
    rows.push([part, found[0] ?? 'none', exit])
    const subjectOf = (each: string) => /^\w+ +(\w+):/.exec(each)?.[1]
    expect(found.map(subjectOf)).toEqual(subjects)
    expect(found[0]).toMatch(line)
    expect(found[0]).toMatch(expected === 1 ? /^warning/ : /^problem/)
    expect(exit).toBe(expected)
    expect(lines).toHaveLength(14)
    for (const secret of SECRETS) expect(lines.join('\n')).not.toContain(secret)
  },
)

it('is well again after all repairs', async () => {
  const { lines, exit } = await examine()
  markdownTable([['Broken part', 'Line', 'Exit code'], ...rows])
  headline.sum({ 'broken parts': new Set(rows.map(([part]) => part)).size - 1 })
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
  expect(exit).toBe(0)
})
