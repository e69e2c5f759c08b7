import type { Crm, Purpose, ReadFields } from '../port.ts'
import { salesforceConnection } from './connection.ts'
import type { Log } from './connection.ts'
import { withTimeout } from './deadline.ts'
import { OPTIONAL } from './default-mapping.ts'
import type { Mapping } from './default-mapping.ts'
import { readFields } from './read-fields.ts'
import { reads } from './read.ts'
import type { Auth } from './sessions.ts'
import { verifyMapping } from './verify.ts'
import { writes } from './write.ts'

const TIMEOUT_MS = 8_000
/** One call for all kinds takes longer than one for a single kind. The kinds' claim lasts longer than this timeout. */
const TICK_FACTOR = 2
/** A call with a thousand records takes the org longer than a read, and nobody waits for it. */
const SEND_FACTOR = 4

export interface SalesforceOptions {
  /** The org's own domain, which issues the tokens. */
  loginUrl: string
  clientId: string
  auth: Auth
  mapping: Mapping
  /** What the org may lack. */
  optional?: readonly string[]
  log: Log
  timeoutMs?: number
  /** A monotonic clock in milliseconds; tests replace it. */
  now?(): number
  /** Called for each call that counts against the quota. */
  onCall?(purpose: Purpose): void
}

export function salesforceCrm(options: SalesforceOptions): Crm {
  const { mapping, optional = OPTIONAL, log, now = () => performance.now() } = options
  const { timeoutMs = TIMEOUT_MS } = options
  const connection = salesforceConnection({ ...options, timeoutMs, now })
  // `verify` replaces them by those of this org.
  let read = reads(connection, mapping)
  let write = writes(connection, mapping, log)
  let fields: ReadFields = {}
  return {
    changes: (kind, after) =>
      withTimeout(timeoutMs, 'catch-up', (deadline) => read.changes(kind, after, deadline)),
    tick: (wanted) =>
      withTimeout(timeoutMs * TICK_FACTOR, 'tick', (deadline) => read.tick(wanted, deadline)),
    wholeRows: (kind, afterId) =>
      withTimeout(timeoutMs, 'reconcile', (deadline) => read.wholeRows(kind, afterId, deadline)),
    versions: (kind, afterId) =>
      withTimeout(timeoutMs, 'reconcile', (deadline) => read.versions(kind, afterId, deadline)),
    rows: (kind, ids) =>
      withTimeout(timeoutMs, 'reconcile', (deadline) => read.rows(kind, ids, deadline)),
    veterans: (contactIds) =>
      withTimeout(timeoutMs, 'refresh', (deadline) => read.veterans(contactIds, deadline)),
    veteransByEmail: (emails) =>
      withTimeout(timeoutMs, 'refresh', (deadline) => read.veteransByEmail(emails, deadline)),
    findContacts: (email, userId) =>
      withTimeout(timeoutMs, 'send', (deadline) => read.findContacts(email, userId, deadline)),
    send: (operations) =>
      withTimeout(timeoutMs * SEND_FACTOR, 'send', (deadline) => write.send(operations, deadline)),
    usage: () => connection.usage(),
    verify: async () => {
      const org = await withTimeout(timeoutMs, 'check', (deadline) =>
        verifyMapping(connection, { mapping, optional }, log, deadline),
      )
      read = reads(connection, org.mapping, org.stageLabels)
      write = writes(connection, org.mapping, log)
      fields = readFields(org)
      return org.missing
    },
    readFields: () => fields,
    close: () => connection.close(),
  }
}
