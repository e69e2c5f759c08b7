import { pathOf } from '@guidon/contract/endpoint'
import type { Endpoint } from '@guidon/contract/endpoint'
import { endpoints } from '@guidon/contract/endpoints'
import { register } from '@guidon/contract/sign-up'
import { expect, it } from 'vitest'
import { composeWorker } from '../../../api/src/main/compose/compose.ts'
import { createLog } from '../../../api/src/platform/log.ts'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { userIdOf } from '../../support/databases.ts'
import { mailbox } from '../../support/mailbox.ts'
import { figures, headline } from '../figures.ts'
import type { Principal } from './matrix.ts'
import { principals } from './principals.ts'
import { bodies, HEADERS, newNoticeToken, params } from './valid-requests.ts'
import type { Account } from './valid-requests.ts'

const testApp = await boot({ worker: false })
const { config, sql } = testApp
const bodyOf = bodies(testApp)
const paramsOf = params(testApp)
const callers = principals(testApp)

const port = new URL(config.PUBLIC_URL).port
const WRONG_ORIGINS = [
  '',
  'null',
  'https://evil.example',
  config.PUBLIC_URL.replace(port, String(Number(port) + 1)),
  `${config.PUBLIC_URL}.evil.example`,
]

const SAFE = new Set<string>(['GET', 'HEAD'])
const unsafe = Object.entries(endpoints).filter(
  ([, { method, withoutOrigin }]) => !SAFE.has(method) && !withoutOrigin,
)
const exempt = Object.entries(endpoints).filter(([, { withoutOrigin }]) => withoutOrigin)

const callerOf = ({ session, roles }: Endpoint): Principal => {
  if (session === 'challenge') return 'challenge only'
  if (session === 'phone') return 'phone'
  return roles?.includes('USER') === false ? 'STAFF' : 'owner'
}

/** One hash for each table, including the jobs that send email. */
async function tableHashes(): Promise<Record<string, string>> {
  const { rows: tables } = await sql.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'public' or (schemaname, tablename) = ('pgboss', 'job') order by 1`,
  )
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql.query<{ hash: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash
       from ${name} t`,
    )
    hashes[name] = rows[0]!.hash
  }
  return hashes
}

async function startSignUp() {
  const client = testApp.newClient()
  const subject = (await bodyOf['register']!({ email: '', password: '' })) as Account
  await client.send('POST', register.path, subject)
  await mailbox.codeFor(subject.email)
  return { client, subject }
}

it('an unsafe request from a wrong origin is refused and changes nothing', async () => {
  // The worker sends the codes needed for preparation; afterwards only the requests may write.
  const worker = await composeWorker(config, createLog('silent', 'test'))
  const requests = await limitedConcurrency(unsafe.length, async (index) => {
    const [name, endpoint] = unsafe[index]!
    const caller = await (name === 'verifyEmail' ? startSignUp() : callers[callerOf(endpoint)]())
    const { email } = caller.subject
    const path = pathOf(endpoint, ((await paramsOf[name]?.(email)) ?? {}) as never)
    const body = await bodyOf[name]?.(caller.subject)
    return { ...caller, name, method: endpoint.method, path, body }
  })
  await worker.close()

  const before = await tableHashes()
  const notRefused: string[] = []
  for (const { client, name, method, path, body } of requests) {
    for (const origin of WRONG_ORIGINS) {
      const { status, body: response } = await client.send(method, path, body, {
        ...HEADERS[name],
        origin,
      })
      if (status !== 403 || (response as { code: string }).code !== 'wrong_origin')
        notRefused.push(`${name} from ${origin}`)
    }
  }
  const after = await tableHashes()
  const changed = Object.keys(after).filter((table) => after[table] !== before[table])
  figures('wrong origins', {
    routes: unsafe.length,
    origins: WRONG_ORIGINS.length,
    'not refused': notRefused.length,
    tables: Object.keys(after).length,
    changed: changed.length,
  })
  headline.sum({
    routes: unsafe.length,
    'not refused': notRefused.length,
    'tables changed': changed.length,
  })
  expect(notRefused).toEqual([])
  expect(changed).toEqual([])

  // The same requests from the portal do change something, so the origin was the only reason to refuse them.
  for (const { client, name, method, path, body } of requests) {
    const unchanged = await tableHashes()
    await client.send(method, path, body, HEADERS[name])
    const now = await tableHashes()
    expect({ name, tables: Object.keys(now).filter((t) => now[t] !== unchanged[t]) }).toEqual({
      name,
      tables: expect.arrayContaining([expect.any(String)]),
    })
  }
})

it('the one request without an origin acts only for its token, never for the cookies of the browser', async () => {
  expect(exempt.map(([name]) => name)).toEqual(['unsubscribe'])
  const startedAt = new Date()
  const [[, { method, path }]] = exempt as [(typeof exempt)[number]]
  const worker = await composeWorker(config, createLog('silent', 'test'))
  const { client, subject } = await callers.owner()
  await worker.close()
  const token = await newNoticeToken(testApp)
  const wrong = ['', `?token=${token.slice(0, -2)}AA`, '?token=', `?token=${token}&token=${token}`]
  const before = await tableHashes()
  const accepted: string[] = []
  for (const origin of [...WRONG_ORIGINS, config.PUBLIC_URL]) {
    for (const query of wrong) {
      const { status } = await client.send(method, path + query, undefined, { origin })
      if (status < 400) accepted.push(`${origin} ${query}`)
    }
  }
  expect(accepted).toEqual([])
  const after = await tableHashes()
  expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual([])

  const { status } = await client.send(method, `${path}?token=${token}`, undefined, {
    origin: 'https://evil.example',
  })
  const { rows } = await sql.query<{ user_id: string }>(
    `select user_id from notice_preferences where changed_at > $1`,
    [startedAt],
  )
  figures('without an origin', {
    requests: wrong.length * 6,
    accepted: accepted.length,
    'changed by the right link': rows.length,
  })
  headline.sum({ 'wrong links accepted': accepted.length })
  expect(status).toBe(204)
  expect(rows).toHaveLength(1)
  expect(rows[0]!.user_id).not.toBe(await userIdOf(sql, subject.email))
})
