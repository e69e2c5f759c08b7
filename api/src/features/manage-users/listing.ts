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

const PAGE_MAX = 100
/** Each listing holds a database connection until its client has read it. */
export const MAX_CONCURRENT_LISTINGS = 3
/** For a page that is reloaded before its first request has ended. */
const MAX_WAITING_LISTINGS = 2
const LISTING_RETRY_SECONDS = 5
/** Less than the 10 seconds after which the screen times out. */
const LISTING_WAIT_MS = 8_000

type Query = QueryOut<typeof listUsers>
type Page = ResponseIn<typeof listUsers>

export interface ListingParts {
  db: Database
  cursors: Cursors
  /** The JSON of all accounts. */
  stream(sorting: Sorting, gzipped: boolean): Readable
}

export interface Listing {
  /** Streams all accounts if one listing can hold them and the query has no filter; else returns a page. */
  list(actorId: string, query: Query): Promise<Streamed | Page>
}

export function listing({ db, cursors, stream }: ListingParts): Listing {
  const { take } = fairSemaphore({
    maxRunning: MAX_CONCURRENT_LISTINGS,
    maxRunningPerKey: 1,
    maxWaitingPerKey: MAX_WAITING_LISTINGS,
    maxWaitMs: LISTING_WAIT_MS,
  })

  /** Releases the semaphore when the stream closes or cannot start. */
  const streamInTurn = async (
    actorId: string,
    sorting: Sorting,
    beforeStream: () => Promise<void>,
  ): Promise<Streamed> => {
    const release = await take(actorId).catch((error: unknown) => {
      if (!(error instanceof QueueFull)) throw error
      throw refuse(tooManyListings, { retryAfterSeconds: LISTING_RETRY_SECONDS })
    })
    try {
      await beforeStream()
    } catch (error) {
      release()
      throw error
    }
    return (gzipped) => {
      try {
        return stream(sorting, gzipped).once('close', release)
      } catch (error) {
        release()
        throw error
      }
    }
  }

  /** Called before the response. The search text is personal data, so only its length is recorded. */
  const record = (actorId: string, { q, role, status }: Query, rows: number, page: number) =>
    recordEvent(db, {
      event: 'users_listed',
      actorId,
      details: {
        rows,
        page,
        ...(q && { searchLength: q.length }),
        ...(role && { role }),
        ...(status && { status }),
      },
    })

  const page = async (actorId: string, query: Query, counted?: number): Promise<Page> => {
    const { q, role, status, sortBy, order, limit, cursor } = query
    const owner = { actorId, sortBy, order, q, role, status }
    const from = cursor === undefined ? undefined : cursors.read(owner, cursor)
    // Counted for the first page only, because counting takes longer than reading a page.
    const total = from?.total ?? counted ?? (await countUsers(db))
    const size = Math.min(limit, PAGE_MAX)
    const wanted = { q, role, status, sortBy, order, limit: size + 1, after: from }
    const found = await pageOfUsers(db, wanted)
    const shown = found.slice(0, size)
    const last = found.length > size ? shown.at(-1) : undefined
    const number = from?.page ?? 1
    await record(actorId, query, shown.length, number)
    return {
      users: shown.map(({ user }) => user),
      total,
      next: last ? cursors.write(owner, { ...last.position, total, page: number + 1 }) : null,
    }
  }

  return {
    list: async (actorId, query) => {
      const { q, role, status, sortBy, order, limit, cursor } = query
      const isPart = q || role || status || cursor !== undefined || limit < LISTING_MAX
      if (isPart) return page(actorId, query)
      const total = await countUsers(db)
      if (total > LISTING_MAX) return page(actorId, query, total)
      return streamInTurn(actorId, { sortBy, order }, () => record(actorId, query, total, 1))
    },
  }
}
