import type { LinkQuestion } from '@guidon/contract/links'
import type { Database, Tx } from '../../db/database.ts'
import { findForLink, lockUsers } from '../../db/users.ts'
import { findContact } from '../mirror/contacts.sql.ts'
import { currentLink, HOLDING, holderOf } from './links.sql.ts'
import type { Links } from './links.ts'
import { isProven } from './may-link.ts'
import { mergedInto } from './merges.sql.ts'
import { hideMoved } from './shown-records.sql.ts'
import type { MovedRecords } from './shown-records.sql.ts'

export interface SettleParts {
  db: Database
  links: Pick<Links, 'question' | 'showRecords' | 'tellMoved'>
}

/**
 * Records that moved to another contact are shown there once it is certain whose they are. Call it with moves that were
 * known before the contacts were last read: only then is it known whether their old contact was merged.
 */
export async function settleMoves(
  { db, links }: SettleParts,
  moves: readonly MovedRecords[],
): Promise<void> {
  for (const move of moves) {
    await db.transaction().execute((tx) => settleMove(tx, links, move))
  }
}

const holding = new Set<LinkQuestion | null>(HOLDING)

async function settleMove(
  tx: Tx,
  links: SettleParts['links'],
  { from, to }: MovedRecords,
): Promise<void> {
  const [owner, formerOwner] = [
    await holderOf(tx, to),
    from === null ? undefined : await holderOf(tx, from),
  ]
  await lockUsers(
    tx,
    [owner?.userId, formerOwner?.userId].filter((id) => id !== undefined),
  )
  const isMerge = from !== null && (await mergedInto(tx, from)) === to
  // The account of a merged contact keeps what it sees until its own link is decided.
  if (isMerge && formerOwner) return
  const link = owner && (await currentLink(tx, owner.userId))
  if (link && from !== null) {
    const isAsked = holding.has(link.question)
    const [account, former] = [await findForLink(tx, owner.userId), await findContact(tx, from)]
    const isSamePerson = account && former && isProven(account, former)
    if (isAsked || (!isMerge && !isSamePerson)) {
      if (!isMerge) await links.question(tx, link.id, 'moved', from)
      await links.tellMoved(tx, to, await hideMoved(tx, to, from))
      return
    }
  }
  await links.showRecords(tx, to, from)
}
