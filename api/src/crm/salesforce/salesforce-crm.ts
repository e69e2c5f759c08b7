import type { Crm, Page, Purpose } from '../port.ts'
import { salesforceConnection } from './connection.ts'
import type { Log } from './connection.ts'
import { withTimeout } from './deadline.ts'
import { OPTIONAL } from './default-mapping.ts'
import type { Mapping } from './default-mapping.ts'
import { reads } from './read.ts'
import type { Auth } from './sessions.ts'
import { verifyMapping } from './verify.ts'
import { writes } from './write.ts'

const TIMEOUT_MS = 8_000
/** One call for all kinds takes longer than one for a single kind. It is shorter than the claim of the kinds. */
const TICK_FACTOR = 2
/** A call with a thousand records takes the org longer than a read, and nobody waits for it. */
const SEND_FACTOR = 4

/** Of a kind whose object the org lacks. The early time makes the mirror read all rows once the org has it. */
const NEVER_CHANGED: Page<never> = { rows: [], full: false, asOf: '1970-01-02T00:00:00.000Z' }

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
  let absent: ReadonlySet<string> = new Set()
  return {
    changes: async (kind, after) =>
      absent.has(kind)
        ? NEVER_CHANGED
        : withTimeout(timeoutMs, 'catch-up', (deadline) => read.changes(kind, after, deadline)),
    tick: async (wanted) => {
      const present = wanted.filter(({ kind }) => !absent.has(kind))
      const pages =
        present.length === 0
          ? []
          : await withTimeout(timeoutMs * TICK_FACTOR, 'tick', (deadline) =>
              read.tick(present, deadline),
            )
      const remaining = pages.values()
      return wanted.map(({ kind }) =>
        absent.has(kind)
          ? { status: 'fulfilled' as const, value: NEVER_CHANGED }
          : remaining.next().value!,
      )
    },
    versions: async (kind, afterId) =>
      absent.has(kind)
        ? NEVER_CHANGED
        : withTimeout(timeoutMs, 'reconcile', (deadline) => read.versions(kind, afterId, deadline)),
    rows: async (kind, ids) =>
      absent.has(kind)
        ? []
        : withTimeout(timeoutMs, 'reconcile', (deadline) => read.rows(kind, ids, deadline)),
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
      read = reads(connection, org.mapping)
      write = writes(connection, org.mapping, log)
      absent = org.absent
      return org.missing
    },
    close: () => connection.close(),
  }
}
