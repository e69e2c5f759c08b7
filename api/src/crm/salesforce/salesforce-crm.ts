import type { Crm } from '../port.ts'
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
  /** The org's own domain; where tokens are asked for. */
  loginUrl: string
  clientId: string
  auth: Auth
  mapping: Mapping
  log: Log
  timeoutMs?: number
  /** Milliseconds of a clock that only goes forward, so that a test need not wait. */
  now?(): number
}

export function salesforceCrm(options: SalesforceOptions): Crm {
  const { mapping, log, timeoutMs = TIMEOUT_MS, now = () => performance.now() } = options
  const connection = salesforceConnection({ ...options, timeoutMs, now })
  const read = reads(connection, mapping)
  const write = writes(connection, mapping)
  return {
    changes: (kind, after) => withTimeout(timeoutMs, (by) => read.changes(kind, after, by)),
    count: (kind) => withTimeout(timeoutMs, (by) => read.count(kind, by)),
    veteran: (contactId) => withTimeout(timeoutMs, (by) => read.veteran(contactId, by)),
    findContacts: (email, userId) =>
      withTimeout(timeoutMs, (by) => read.findContacts(email, userId, by)),
    upsertContact: (contact) => withTimeout(timeoutMs, (by) => write.upsertContact(contact, by)),
    linkContact: (contactId, userId) =>
      withTimeout(timeoutMs, (by) => write.linkContact(contactId, userId, by)),
    unlinkContact: (contactId, userId) =>
      withTimeout(timeoutMs, (by) => write.unlinkContact(contactId, userId, by)),
    setBoxFolder: (contactId, boxFolderId) =>
      withTimeout(timeoutMs, (by) => write.setBoxFolder(contactId, boxFolderId, by)),
    upsertContactRequest: (request) =>
      withTimeout(timeoutMs, (by) => write.upsertContactRequest(request, by)),
    upsertIntake: (intake) => withTimeout(timeoutMs, (by) => write.upsertIntake(intake, by)),
    upsertDocument: (document) =>
      withTimeout(timeoutMs, (by) => write.upsertDocument(document, by)),
    usage: () => connection.usage(),
    verify: () => withTimeout(timeoutMs, (by) => verifyMapping(connection, mapping, log, by)),
    close: () => connection.close(),
  }
}
