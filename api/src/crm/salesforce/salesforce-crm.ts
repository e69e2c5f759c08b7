import type { Crm, Purpose } from '../port.ts'
import { salesforceConnection } from './connection.ts'
import type { Log } from './connection.ts'
import { withTimeout } from './deadline.ts'
import type { Mapping } from './default-mapping.ts'
import { reads } from './read.ts'
import type { Auth } from './sessions.ts'
import { verifyMapping } from './verify.ts'
import { writes } from './write.ts'

const TIMEOUT_MS = 8_000

export interface SalesforceOptions {
  /** The org's own domain, which issues the tokens. */
  loginUrl: string
  clientId: string
  auth: Auth
  mapping: Mapping
  log: Log
  timeoutMs?: number
  /** A monotonic clock in milliseconds; tests replace it. */
  now?(): number
  /** Called for each call that counts against the quota. */
  onCall?(purpose: Purpose): void
}

export function salesforceCrm(options: SalesforceOptions): Crm {
  const { mapping, log, timeoutMs = TIMEOUT_MS, now = () => performance.now() } = options
  const connection = salesforceConnection({ ...options, timeoutMs, now })
  const read = reads(connection, mapping)
  const write = writes(connection, mapping)
  return {
    changes: (kind, after) =>
      withTimeout(timeoutMs, 'catch-up', (deadline) => read.changes(kind, after, deadline)),
    count: (kind) => withTimeout(timeoutMs, 'reconcile', (deadline) => read.count(kind, deadline)),
    veterans: (contactIds) =>
      withTimeout(timeoutMs, 'refresh', (deadline) => read.veterans(contactIds, deadline)),
    veteransByEmail: (emails) =>
      withTimeout(timeoutMs, 'refresh', (deadline) => read.veteransByEmail(emails, deadline)),
    findContacts: (email, userId) =>
      withTimeout(timeoutMs, 'send', (deadline) => read.findContacts(email, userId, deadline)),
    upsertContact: (contact) =>
      withTimeout(timeoutMs, 'send', (deadline) => write.upsertContact(contact, deadline)),
    linkContact: (contactId, userId) =>
      withTimeout(timeoutMs, 'send', (deadline) => write.linkContact(contactId, userId, deadline)),
    unlinkContact: (contactId, userId) =>
      withTimeout(timeoutMs, 'send', (deadline) =>
        write.unlinkContact(contactId, userId, deadline),
      ),
    setBoxFolder: (contactId, boxFolderId) =>
      withTimeout(timeoutMs, 'send', (deadline) =>
        write.setBoxFolder(contactId, boxFolderId, deadline),
      ),
    upsertContactRequest: (request) =>
      withTimeout(timeoutMs, 'send', (deadline) => write.upsertContactRequest(request, deadline)),
    upsertIntake: (intake) =>
      withTimeout(timeoutMs, 'send', (deadline) => write.upsertIntake(intake, deadline)),
    upsertDocument: (document) =>
      withTimeout(timeoutMs, 'send', (deadline) => write.upsertDocument(document, deadline)),
    usage: () => connection.usage(),
    verify: () =>
      withTimeout(timeoutMs, 'check', (deadline) =>
        verifyMapping(connection, mapping, log, deadline),
      ),
    close: () => connection.close(),
  }
}
