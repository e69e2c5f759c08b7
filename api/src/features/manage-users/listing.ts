import type { Readable } from 'node:stream'
import type { ResponseIn, QueryOut } from '@guidon/contract/endpoint'
import { LISTING_MAX, tooManyListings } from '@guidon/contract/manage-users'
import type { listUsers } from '@guidon/contract/manage-users'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { refuse } from '../../http/refuse.ts'
import type { Streamed } from '../../http/send-json.ts'
import { fairSemaphore, QueueFull } from '../../platform/fair-semaphore.ts'
import type { Cursors } from './cursor.ts'
import { countUsers, pageOfUsers } from './managed-users.sql.ts'
import type { Sorting } from './managed-users.sql.ts'

/** A page for a screen; who wants more of them asks again. */
const PAGE_MOST = 100
/** Each holds a connection while its reader reads. */
export const LISTINGS_AT_ONCE = 3
/** A page that is reloaded asks again while its first request still ends. */
const LISTINGS_WAITING = 2
const LISTING_RETRY_SECONDS = 5
/** Below the 10 seconds after which a screen gives up. */
const LISTING_WAIT_MS = 8_000

type Query = QueryOut<typeof listUsers>
type Page = ResponseIn<typeof listUsers>

export interface ListingParts {
  db: Database
  cursors: Cursors
  /** The whole listing, as the text of its JSON. */
  stream(sorting: Sorting, zipped: boolean): Readable
}

export interface Listing {
  /** Logs each answer. All accounts at once where one listing holds them and nothing narrower is asked for; else a page. */
  list(actorId: string, query: Query): Promise<Streamed | Page>
}

export function listing({ db, cursors, stream }: ListingParts): Listing {
  const { take } = fairSemaphore({
    atOnce: LISTINGS_AT_ONCE,
    atOncePerKey: 1,
    waitingPerKey: LISTINGS_WAITING,
    waitMs: LISTING_WAIT_MS,
  })

  /** The turn is given up when the listing was read or broke off, or could not begin. */
  const inTurn = async (
    actorId: string,
    sorting: Sorting,
    first: () => Promise<void>,
  ): Promise<Streamed> => {
    const done = await take(actorId).catch((error: unknown) => {
      if (!(error instanceof QueueFull)) throw error
      throw refuse(tooManyListings, { retryAfterSeconds: LISTING_RETRY_SECONDS })
    })
    try {
      await first()
    } catch (error) {
      done()
      throw error
    }
    return (zipped) => {
      try {
        return stream(sorting, zipped).once('close', done)
      } catch (error) {
        done()
        throw error
      }
    }
  }

  /** Before the answer goes out. What was searched for is about people, so the log holds its length only. */
  const record = (actorId: string, { q, role }: Query, rows: number, page: number) =>
    recordEvent(db, {
      event: 'users_listed',
      actorId,
      details: { rows, page, ...(q && { searchLength: q.length }), ...(role && { role }) },
    })

  const page = async (actorId: string, query: Query, counted?: number): Promise<Page> => {
    const { q, role, sortBy, order, limit, cursor } = query
    const owner = { actorId, sortBy, order, q, role }
    const from = cursor === undefined ? undefined : cursors.read(owner, cursor)
    // As it was when the first page was asked for: to count again at each turn would take most of its time.
    const total = from?.total ?? counted ?? (await countUsers(db))
    const most = Math.min(limit, PAGE_MOST)
    const wanted = { q, role, sortBy, order, limit: most + 1, after: from }
    const found = await pageOfUsers(db, wanted)
    const shown = found.slice(0, most)
    const last = found.length > most ? shown.at(-1) : undefined
    const number = from?.page ?? 1
    await record(actorId, query, shown.length, number)
    return {
      users: shown.map(({ user }) => user),
      total,
      next: last ? cursors.write(owner, { ...last.place, total, page: number + 1 }) : null,
    }
  }

  return {
    list: async (actorId, query) => {
      const { q, role, sortBy, order, limit, cursor } = query
      if (q || role || cursor !== undefined || limit < LISTING_MAX) return page(actorId, query)
      const total = await countUsers(db)
      if (total > LISTING_MAX) return page(actorId, query, total)
      return inTurn(actorId, { sortBy, order }, () => record(actorId, query, total, 1))
    },
  }
}
