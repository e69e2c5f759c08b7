import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import type { Stack } from '@guidon/sandbox/stack/stack'
import { openDatabase, openPool } from '../../../api/src/db/database.ts'
import { sealEvents, verifyChain } from '../../../api/src/features/audit/chain.ts'
import { connected } from '../../support/databases.ts'
import { UNSENT, waitUntilEmpty } from '../../support/wait-until-empty.ts'
import type { FailoverTraffic } from './failover-traffic.ts'

/** Many uploads may wait at the end: by its share of the limit of Box, a worker sends about 96 a minute. */
const JOBS_TIMEOUT_MS = 1_800_000

/** How many elements have each key. */
const countBy = <T>(all: readonly T[], key: (one: T) => string) => {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1)
  return counts
}

/** Counts effects that were acknowledged but not found, and effects that were found more often than acknowledged. */
function difference(expected: Map<string, number>, found: Map<string, number>) {
  let [missing, doubled] = [0, 0]
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const surplus = (found.get(key) ?? 0) - (expected.get(key) ?? 0)
    missing += Math.max(0, -surplus)
    doubled += Math.max(0, surplus)
  }
  return { missing, doubled }
}

/** Compares what was acknowledged with the database, the CRM and the file store, after the jobs are done. */
export async function outcomeOf(traffic: FailoverTraffic, stack: Stack, databaseUrl: string) {
  const { urls } = stack
  const sql = await connected(databaseUrl)
  try {
    await waitUntilEmpty(sql, UNSENT, { timeout: JOBS_TIMEOUT_MS, interval: 500 })
    const files = await new BoxSandboxClient(urls.box).files()
    const expectedFiles = countBy([...traffic.uploads], (pair) => pair.join(' '))
    const inBox = countBy(
      files.flatMap(({ name, sha256, versions }) => versions.map(() => `${name} ${sha256}`)),
      (key) => key,
    )
    const { rows: documents } = await sql.query<{ name: string; sha256: string }>(
      `select name, encode(sha256, 'hex') as sha256 from documents`,
    )
    const salesforce = salesforceControl(urls.salesforce)
    const crmDocuments = await salesforce.rows('Document_Request__c', {}, 0)
    const crmRequests = await salesforce.rows('Contact_Request__c', {}, 0)
    const { rows: requests } = await sql.query<{ email: string; method: string }>(
      'select email, method from contact_requests join users on users.id = user_id',
    )
    const { rows: sessions } = await sql.query<{ email: string }>(
      'select email from sessions join users on users.id = user_id',
    )
    const keyOf = ({ email, method }: { email: string; method: string }) => `${email} ${method}`
    const compared = {
      'files in Box': difference(expectedFiles, inBox),
      documents: difference(
        expectedFiles,
        countBy(documents, ({ name, sha256 }) => `${name} ${sha256}`),
      ),
      'contact requests': difference(
        countBy(traffic.contactRequests, keyOf),
        countBy(requests, keyOf),
      ),
      sessions: difference(
        countBy(traffic.sessions, ({ email }) => email),
        countBy(sessions, ({ email }) => email),
      ),
      'rows in the CRM': difference(
        new Map([
          ['documents', documents.length],
          ['requests', requests.length],
        ]),
        new Map([
          ['documents', crmDocuments.length],
          ['requests', crmRequests.length],
        ]),
      ),
      'intake saves': { missing: traffic.lostIntakeSaves.length, doubled: 0 },
    }
    const linesOf = (name: 'missing' | 'doubled') =>
      Object.entries(compared)
        .filter(([, result]) => result[name] > 0)
        .map(([what, result]) => `${what}: ${result[name]}`)
    return {
      missing: linesOf('missing'),
      doubled: linesOf('doubled'),
      signedOut: await traffic.countSignedOut(),
      auditChain: await sealAndVerify(databaseUrl),
    }
  } finally {
    await sql.end()
  }
}

/** Verifies the audit chain, after sealing the events that no worker has sealed yet. */
async function sealAndVerify(url: string) {
  const pool = openPool({
    url,
    size: 1,
    statementTimeoutMs: 0,
    asOwner: true,
    onIdleError: () => {},
  })
  try {
    const db = openDatabase(pool)
    await sealEvents(db)
    return await verifyChain(db)
  } finally {
    await pool.end()
  }
}
