import type { Tx } from '../../db/database.ts'
import { findForLink } from '../../db/users.ts'
import { lockContact } from '../mirror/contacts.sql.ts'
import type { MirroredContact } from '../mirror/contacts.sql.ts'
import { currentLink, endLink, holderOf } from './links.sql.ts'
import type { Links } from './links.ts'
import { isProven } from './may-link.ts'
import { linksOf, mergedInto } from './merges.sql.ts'
import { detachDocuments } from './shown-records.sql.ts'

/** Between the CRM's clock and ours. */
const CLOCK_SKEW_MS = 5 * 60_000

export interface GoneContact {
  id: string
  /** When the CRM deleted it; absent if that is known already. */
  at?: Date
  /** As the mirror had it before. */
  before?: MirroredContact | undefined
}

/**
 * Staff merged or deleted contacts. Whether the survivor of a merge belongs to the same person is for the rule, and
 * else for staff. The accounts are locked already.
 */
export async function followGone(tx: Tx, links: Links, gone: readonly GoneContact[]) {
  for (const { id, at, before } of gone) {
    const into = await mergedInto(tx, id)
    const survivor = into === undefined ? undefined : await lockContact(tx, into)
    for (const link of await linksOf(tx, id)) {
      // The mirror does not have the survivor yet, or it is deleted, too.
      if (!survivor) {
        if (link.state === 'live' && into === undefined) await needLink(tx, links, link)
        continue
      }
      await followMerge(tx, links, link, survivor)
    }
    if (survivor && at) await questionSurvivor(tx, links, survivor.id, { id, at, before })
  }
}

type Link = Awaited<ReturnType<typeof linksOf>>[number]

async function needLink(tx: Tx, links: Links, { id, userId, contactId }: Link): Promise<void> {
  await links.question(tx, id, 'contactGone')
  await detachDocuments(tx, userId, contactId)
}

async function followMerge(tx: Tx, links: Links, link: Link, survivor: MirroredContact) {
  const { id, userId, contactId, origin, state } = link
  // Staff decide about a frozen link first.
  if (state === 'frozen') return
  const isWaiting = state === 'waiting'
  if (isWaiting) await endLink(tx, id)
  // The account has the survivor already, and staff are asked what the other contact was.
  if (isWaiting && (await currentLink(tx, userId))?.contactId === survivor.id) return
  const rule = await links.answer(tx, userId, survivor)
  const next = {
    userId,
    contactId: survivor.id,
    origin: isWaiting ? origin : 'merge',
  } as const
  if (rule.answer === 'yes') {
    await links.open(tx, next)
    if (!isWaiting) await links.showRecords(tx, survivor.id, contactId)
  } else if (rule.answer === 'ask') {
    await links.ask(tx, next, rule.question, contactId)
  } else if (!isWaiting && rule.because !== 'inactive') {
    await links.question(tx, id, 'contactGone')
  }
}

/** Another contact was merged into the contact of an account, which must not see its records unless they are its own. */
async function questionSurvivor(
  tx: Tx,
  links: Links,
  survivorId: string,
  gone: Required<GoneContact>,
) {
  const holder = await holderOf(tx, survivorId)
  if (!holder) return
  // Merged before the link was made: what the contact is was known then.
  if (gone.at.getTime() < holder.liveAt.getTime() - CLOCK_SKEW_MS) return
  const account = await findForLink(tx, holder.userId)
  if (account && gone.before && isProven(account, gone.before)) return
  await links.question(tx, holder.linkId, 'merged', gone.id)
}
