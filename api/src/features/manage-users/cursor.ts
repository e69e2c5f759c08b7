import { timingSafeEqual } from 'node:crypto'
import { SESSION_HOURS } from '@guidon/contract/limits'
import { pageGone } from '@guidon/contract/manage-users'
import type { Order, SortBy } from '@guidon/contract/manage-users'
import { z } from 'zod'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import type { Place } from './managed-users.sql.ts'

/** Where the next page begins, which one it is, and how many accounts there were at the first. */
export interface PageStart extends Place {
  total: number
  page: number
}

/** A cursor leads on from this member of staff's own page of this query, and from no other. */
export interface CursorOwner {
  actorId: string
  sortBy: SortBy
  order: Order
  q: string | undefined
  role: string | undefined
}

export interface Cursors {
  write(owner: CursorOwner, start: PageStart): string
  /** Refuses what was not written for this owner, or too long ago. */
  read(owner: CursorOwner, cursor: string): PageStart
}

const content = z.tuple([z.string(), z.uuid(), z.boolean(), z.number(), z.number(), z.number()])
/** No session of staff lasts longer. */
const GOOD_FOR_MS = SESSION_HOURS.STAFF * 3_600_000

/** Signed, so that no one can list from a place of their own choosing. */
export function cursors(tokens: Pick<Tokens, 'hash' | 'hashes'>): Cursors {
  const signed = ({ actorId, sortBy, order, q, role }: CursorOwner, text: string) =>
    JSON.stringify([actorId, sortBy, order, q || null, role ?? null, text])

  return {
    write: (owner, { value, id, elsewhere, total, page }) => {
      const parts: z.infer<typeof content> = [
        value,
        id,
        elsewhere,
        total,
        page,
        Date.now() + GOOD_FOR_MS,
      ]
      const text = Buffer.from(JSON.stringify(parts)).toString('base64url')
      return `${text}.${tokens.hash('cursor', signed(owner, text)).toString('base64url')}`
    },
    read: (owner, cursor) => {
      const [text = '', mac = ''] = cursor.split('.')
      const given = Buffer.from(mac, 'base64url')
      const isOurs = tokens
        .hashes('cursor', signed(owner, text))
        .some((own) => own.length === given.length && timingSafeEqual(own, given))
      if (!isOurs) throw refuse(pageGone)
      const parts = content.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
      const [value, id, elsewhere, total, page, expiresAt] = parts
      if (expiresAt <= Date.now()) throw refuse(pageGone)
      return { value, id, elsewhere, total, page }
    },
  }
}
