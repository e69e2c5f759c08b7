import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { OutboxKind } from '../../db/schema.ts'
import type { CrmOperation, CrmOperations } from '../port.ts'
import { insertEntry, makeAllDue } from './outbox.sql.ts'
import type { NewEntry, OutboxEntry } from './outbox.sql.ts'
import { delayNextRound, roundSucceeded } from './sender.sql.ts'

export interface Outbox {
  /** Adds the entry in the caller's transaction, so that it is sent only if that commits. */
  add(tx: Tx, entry: NewEntry): Promise<void>
  /** Sends all unsent entries again, including refused ones. Returns the number of veterans. */
  sendAgain(): Promise<number>
}

export function outbox(db: Database): Outbox {
  return {
    add: insertEntry,
    sendAgain: () =>
      db.transaction().execute(async (tx) => {
        await roundSucceeded(tx)
        await delayNextRound(tx, 0)
        return makeAllDue(tx)
      }),
  }
}

/**
 * `again`: the next round plans the entry anew. A `target`, the CRM row to write to, is stored first, and the next
 * round plans anew with it; `searched` if the CRM was read for it just now.
 */
export type Outcome = 'sent' | 'again' | { target: string; searched: boolean }

/** One operation for the CRM, and how its result is stored. No transaction is open in between. */
export interface Step {
  operation: CrmOperation
  record(value: unknown, tx: Tx): Promise<Outcome>
}

export function step<Operation extends CrmOperation>(
  operation: Operation,
  record: (value: CrmOperations[Operation['kind']]['value'], tx: Tx) => Promise<Outcome>,
): Step {
  return { operation, record }
}

/**
 * Plans what an entry sends to the CRM next; `sent` if there is nothing to send. Operations must be idempotent,
 * because the answer to one may be lost.
 */
export type Sender = (entry: OutboxEntry, db: Queryable) => Promise<Step | 'sent' | 'again'>
export type Senders = Record<OutboxKind, Sender>
