import { timingSafeEqual } from 'node:crypto'
import { SESSION_HOURS } from '@guidon/contract/limits'
import { pageGone } from '@guidon/contract/manage-users'
import type { Order, SortBy } from '@guidon/contract/manage-users'
import { z } from 'zod'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import type { PagePosition } from './managed-users.sql.ts'

interface PageStart extends PagePosition {
  /** Counted for the first page. */
  total: number
  page: number
}

/** A cursor is valid for the same member of staff and the same query only. */
interface CursorScope {
  actorId: string
  sortBy: SortBy
  order: Order
  q: string | undefined
  role: string | undefined
  status: string | undefined
}

export interface Cursors {
  write(scope: CursorScope, start: PageStart): string
  /** Refuses a cursor that has expired or was written for another person or query. */
  read(scope: CursorScope, cursor: string): PageStart
}

const content = z.tuple([z.string(), z.uuid(), z.boolean(), z.number(), z.number(), z.number()])
/** As long as the longest session of staff. */
const LIFETIME_MS = SESSION_HOURS.STAFF * 3_600_000

/** Cursors are signed, so that a client cannot choose where a page begins. */
export function cursors(tokens: Pick<Tokens, 'hash' | 'hashes'>): Cursors {
  const textToSign = ({ actorId, sortBy, order, q, role, status }: CursorScope, text: string) =>
    JSON.stringify([actorId, sortBy, order, q || null, role ?? null, status ?? null, text])

  return {
    write: (scope, { value, id, isSecondary, total, page }) => {
      const parts: z.infer<typeof content> = [
        value,
        id,
        isSecondary,
        total,
        page,
        Date.now() + LIFETIME_MS,
      ]
      const text = Buffer.from(JSON.stringify(parts)).toString('base64url')
      return `${text}.${tokens.hash('cursor', textToSign(scope, text)).toString('base64url')}`
    },
    read: (scope, cursor) => {
      const [text = '', mac = ''] = cursor.split('.')
      const given = Buffer.from(mac, 'base64url')
      const isValid = tokens
        .hashes('cursor', textToSign(scope, text))
        .some((own) => own.length === given.length && timingSafeEqual(own, given))
      if (!isValid) throw refuse(pageGone)
      const parts = content.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
      const [value, id, isSecondary, total, page, expiresAt] = parts
      if (expiresAt <= Date.now()) throw refuse(pageGone)
      return { value, id, isSecondary, total, page }
    },
  }
}
