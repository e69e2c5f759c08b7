import type { Readable } from 'node:stream'
import type { AnswerIn, QueryOut } from '@guidon/contract/endpoint'
import { LISTING_MAX, tooManyListings } from '@guidon/contract/manage-users'
import type { listUsers } from '@guidon/contract/manage-users'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { countUsers, pageOfUsers } from '../../db/managed-users.ts'
import type { Sorting } from '../../db/managed-users.ts'
import { fairSemaphore, QueueFull } from '../../http/fair-semaphore.ts'
import { refuse } from '../../http/refuse.ts'
import type { Streamed } from '../../http/send-json.ts'
import { placeOf, writtenPlace } from './cursor.ts'

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
type Page = AnswerIn<typeof listUsers>

export interface ListingParts {
  db: Database
  /** The whole listing, as the text of its JSON. */
  stream(sorting: Sorting, zipped: boolean): Readable
}

export interface Listing {
  /** All accounts at once where one listing holds them and nothing narrower is asked for; else a page. */
  list(actorId: string, query: Query): Promise<Streamed | Page>
}

export function listing({ db, stream }: ListingParts): Listing {
  const { take } = fairSemaphore({
    atOnce: LISTINGS_AT_ONCE,
    atOncePerKey: 1,
    waitingPerKey: LISTINGS_WAITING,
    waitMs: LISTING_WAIT_MS,
  })

  const inTurn = async (actorId: string, sorting: Sorting): Promise<Streamed> => {
    const done = await take(actorId).catch((error: unknown) => {
      if (!(error instanceof QueueFull)) throw error
      throw refuse(tooManyListings, { retryAfterSeconds: LISTING_RETRY_SECONDS })
    })
    return (zipped) => stream(sorting, zipped).once('close', done)
  }

  const page = async ({ q, role, sortBy, order, limit, cursor }: Query, counted?: number) => {
    const from = cursor === undefined ? undefined : placeOf(cursor, sortBy)
    // As it was when the first page was asked for: to count again at each turn would take most of its time.
    const total = from?.total ?? counted ?? (await countUsers(db))
    const most = Math.min(limit, PAGE_MOST)
    const wanted = { q, role, sortBy, order, limit: most + 1, after: from }
    const found = await pageOfUsers(db, wanted)
    const shown = found.slice(0, most)
    const last = found.length > most ? shown.at(-1) : undefined
    return {
      users: shown.map(({ user }) => user),
      total,
      next: last ? writtenPlace({ ...last.place, total }) : null,
    }
  }

  return {
    list: async (actorId, query) => {
      const { q, role, sortBy, order, limit, cursor } = query
      // What was searched for is about people, so the log does not hold it.
      if (cursor === undefined) await recordEvent(db, { event: 'users_listed', actorId })
      if (q || role || cursor !== undefined || limit < LISTING_MAX) return page(query)
      const total = await countUsers(db)
      return total > LISTING_MAX ? page(query, total) : inTurn(actorId, { sortBy, order })
    },
  }
}
