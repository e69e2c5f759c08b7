import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { email, role } from '@guidon/contract/account'
import * as z from 'zod/mini'
import { noAccount, parsed, UsageError } from './admin-input.ts'
import { eraseOne, keptErasures } from './admin-records.ts'
import { composeAdmin, migrateAll } from './compose.ts'
import type { Admin } from './compose.ts'
import { calledFrom, configOrExit, configurationPage, DEVELOPMENT } from './config.ts'
import { Busy } from './db/locks.ts'
import { account } from './features/manage-users/accounts.ts'
import type { Account, Accounts } from './features/manage-users/accounts.ts'
import { createLog } from './http/log.ts'

const USAGE = `Usage: npm run admin -- <command>

  create-user --email E --first-name F --last-name L --phone 10DIGITS --state S --role USER|STAFF|ADMIN
      makes an account; its password is the first line of standard input
  create-users [--if-missing]
      makes the accounts of a JSON array on standard input; --if-missing passes over emails that are taken
  set-role --email E --role USER|STAFF|ADMIN
      changes a role and ends the account's sessions
  unlock --email E
      clears the limits that too many wrong tries have reached for an account
  jobs [--json]
      shows each queue: jobs not finished, and jobs given up
  send-again --queue Q
      puts the jobs of a queue that were given up back into it
  crm status [--json]
      shows how far the CRM's mirror lags, the calls used, and what still waits to be sent
  crm send-again
      tries everything that waits for the CRM again, also what it refused
  files status [--json]
      shows what was uploaded and has not reached the file store yet
  files send-again
      tries all of that again, also what was refused
  keys [--json]
      shows each key by its id, how much still needs it, and whether it may go
  reseal
      encrypts anew, with the first of DATA_KEYS, what an older one encrypted
  export --email E --out FOLDER
      writes everything that is held of an account into a new folder
  erase --email E [--yes]
      erases a veteran's account for good, and tells what the provider has to delete elsewhere
  erase --again [--from FILE]
      after a backup was restored: erases anew whoever was erased, also those of a list kept outside
  erasures [--out FILE]
      lists the erased accounts by their ids, or writes the list to be kept outside of the database
  unlink --email E
      gives an account that was linked to the wrong contact of the CRM one of its own
  audit [--subject E] [--actor E]
      shows what is logged of an account, or what an account did, named by its email or its id, with where
      it came from while that is stored; and holds the audit log against its seals; fails where a row was
      changed, removed, added or moved, or a seal is forged
  migrate
      brings the database up to date
  configuration
      prints the variables that the processes read`

async function create(accounts: Accounts, people: Account[], ifMissing: boolean): Promise<void> {
  for (const person of people) {
    const made = await accounts.create(person)
    if (!made && !ifMissing)
      throw new UsageError(`An account with the email ${person.email} exists already.`)
    console.log(`${person.role} ${person.email}: ${made ? 'created' : 'exists already'}`)
  }
}

function showCrm({ mirror, usage, outbox }: Awaited<ReturnType<Admin['crm']['status']>>): void {
  console.log('Mirror, and how many seconds ago each kind was read to its end:')
  console.table(mirror)
  console.log(
    usage
      ? `API calls used in the last 24 hours: ${usage.used} of ${usage.limit}.`
      : 'API calls used: not known yet.',
  )
  const age = outbox.waiting > 0 ? `, the oldest for ${outbox.oldestSeconds} s` : ''
  console.log(`Entries waiting to be sent: ${outbox.waiting}${age}.`)
  if (outbox.refusals.length === 0) return
  console.log('Refused by the CRM. Mend the cause there, then run `crm send-again`:')
  console.table(outbox.refusals)
}

const option = { type: 'string' } as const
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
    yes: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'if-missing': { type: 'boolean', default: false },
  },
})

type Command = (admin: Admin) => Promise<void>

const commands: Record<string, Command> = {
  'create-user': async ({ accounts }) => {
    if (process.stdin.isTTY) process.stderr.write('Password (one line, then Enter and Ctrl-D): ')
    const [password] = (await text(process.stdin)).split('\n')
    const { 'first-name': firstName, 'last-name': lastName, ...rest } = values
    await create(accounts, [parsed(account, { ...rest, firstName, lastName, password })], false)
  },
  'create-users': async ({ accounts }) => {
    const people = parsed(z.array(account), JSON.parse(await text(process.stdin)))
    await create(accounts, people, values['if-missing'])
  },
  'set-role': async ({ accounts }) => {
    const wanted = parsed(z.object({ email, role }), values)
    if (!(await accounts.setRole(wanted.email, wanted.role))) {
      throw noAccount(wanted.email)
    }
    console.log(`${wanted.email} is now ${wanted.role}. Its sessions have ended.`)
  },
  unlock: async ({ accounts }) => {
    const wanted = parsed(z.object({ email }), values)
    if (!(await accounts.unlock(wanted.email))) throw noAccount(wanted.email)
    console.log(`${wanted.email} can sign in again: its counters of wrong tries are cleared.`)
  },
  jobs: async ({ queues }) => {
    const states = await queues.states()
    if (values.json) console.log(JSON.stringify({ queues: states }))
    else console.table(states)
  },
  'send-again': async ({ queues }) => {
    const { queue } = parsed(z.object({ queue: z.string() }), values)
    console.log(`${await queues.sendAgain(queue)} jobs of ${queue} will be tried again.`)
  },
  crm: async ({ crm }) => {
    if (positionals[1] === 'send-again') {
      console.log(`${await crm.sendAgain()} veterans' entries will be tried again.`)
      return
    }
    if (positionals[1] !== 'status') throw new UsageError(USAGE)
    const status = await crm.status()
    if (values.json) console.log(JSON.stringify(status))
    else showCrm(status)
  },
  files: async ({ files }) => {
    if (positionals[1] === 'send-again') {
      console.log(`${await files.sendAgain()} documents will be tried again.`)
      return
    }
    if (positionals[1] !== 'status') throw new UsageError(USAGE)
    const status = await files.status()
    if (values.json) console.log(JSON.stringify(status))
    else console.table(status)
  },
  keys: async ({ keys }) => {
    const states = await keys.states()
    if (values.json) console.log(JSON.stringify({ keys: states }))
    else console.table(states)
  },
  reseal: async ({ keys }) => {
    const { intakes, chunks } = await keys.reseal()
    console.log(`Sealed anew: ${intakes} intakes, ${chunks} chunks of uploads.`)
  },
  export: async ({ records }) => {
    const wanted = parsed(z.object({ email, out: z.string() }), values)
    const files = await records.export(wanted.email, resolve(calledFrom(), wanted.out))
    if (files === undefined) throw noAccount(wanted.email)
    console.log(
      `Written to ${wanted.out}: record.json and ${files - 1} files that Box does not have yet.`,
    )
  },
  erase: async ({ records: { erase } }) => {
    if (values.again) {
      const also = values.from ? keptErasures(resolve(calledFrom(), values.from)) : []
      console.log(`${await erase.again(also)} accounts were there again, and are erased.`)
      return
    }
    const wanted = parsed(z.object({ email }), values)
    console.log(await eraseOne(erase, wanted.email, values.yes))
  },
  erasures: async ({ records: { erase } }) => {
    const list = await erase.list()
    if (values.out === undefined) return console.table(list)
    writeFileSync(resolve(calledFrom(), values.out), `${JSON.stringify({ erasures: list })}\n`)
    console.log(`Written to ${values.out}: ${list.length} erasures.`)
  },
  unlink: async ({ accounts }) => {
    const wanted = parsed(z.object({ email }), values)
    if (!(await accounts.unlink(wanted.email))) {
      throw new UsageError(`There is no linked account with the email ${wanted.email}.`)
    }
    console.log(`${wanted.email} is no longer linked. The CRM will be told.`)
  },
  audit: async ({ audit }) => {
    const named = z.optional(z.union([email, z.uuid()]))
    const wanted = parsed(z.object({ subject: named, actor: named }), values)
    if (wanted.subject !== undefined) console.table(await audit.of(wanted.subject))
    if (wanted.actor !== undefined) console.table(await audit.by(wanted.actor))
    const { broken, ...report } = await audit.verify()
    console.table(report)
    if (broken) throw new UsageError(`The audit log does not fit its seals: ${broken}.`)
  },
  // Every command migrates first.
  migrate: async () => console.log('The database is up to date.'),
}

if (positionals[0] === 'configuration') {
  process.stdout.write(configurationPage())
  process.exit(0)
}

const command = commands[positionals[0] ?? '']
if (!command) {
  console.error(USAGE)
  process.exit(positionals.length === 0 ? 0 : 1)
}

const config = configOrExit(DEVELOPMENT)
const log = createLog('error', 'admin')
await migrateAll(config, log)
const admin = await composeAdmin(config, log)
try {
  await command(admin)
} catch (error) {
  if (!(error instanceof UsageError || error instanceof Busy)) throw error
  console.error(
    error instanceof Busy ? 'Just on its way to Box: run this again in a minute.' : error.message,
  )
  process.exitCode = 1
} finally {
  await admin.close()
}
