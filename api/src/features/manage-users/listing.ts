import type { Readable } from 'node:stream'
import type { ResponseIn, QueryOut } from '@guidon/contract/endpoint'
import { LISTING_MAX, tooManyListings } from '@guidon/contract/manage-users'
import type { listUsers } from '@guidon/contract/manage-users'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { primaryReader } from '../../db/reader.ts'
import type { Reader } from '../../db/reader.ts'
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
const MAX_WAITING_PER_PERSON = 2
const LISTING_RETRY_SECONDS = 5
/** Less than the 10 seconds after which the screen times out. */
const LISTING_WAIT_MS = 8_000

type Query = QueryOut<typeof listUsers>
type Page = ResponseIn<typeof listUsers>

export interface ListingParts {
  db: Database
  reader: Reader
  cursors: Cursors
  /** The JSON of all accounts. */
  stream(sorting: Sorting, gzipped: boolean, from: 'primary' | 'replica'): Readable
}

export interface Listing {
  /**
   * Streams all accounts if one listing can hold them and the query has no filter; else returns a page. The replica may
   * lack what the same person has just changed, so it is not read after an own write.
   */
  list(actorId: string, query: Query, options: { afterOwnWrite: boolean }): Promise<Streamed | Page>
}

export function listing({ db, reader, cursors, stream }: ListingParts): Listing {
  const primary = primaryReader(db)

  const { take } = fairSemaphore({
    maxRunning: MAX_CONCURRENT_LISTINGS,
    maxRunningPerKey: 1,
    maxWaitingPerKey: MAX_WAITING_PER_PERSON,
    maxWaitMs: LISTING_WAIT_MS,
  })

  /** Releases the semaphore when the stream closes or cannot start. */
  const streamInTurn = async (
    actorId: string,
    sorting: Sorting,
    from: 'primary' | 'replica',
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
        return stream(sorting, gzipped, from).once('close', release)
      } catch (error) {
        release()
        throw error
      }
    }
  }

  /** Records the listing before it is sent. The search text is personal data, so only its length is recorded. */
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

  const readPage = async (
    { read }: Reader,
    actorId: string,
    query: Query,
    counted?: number,
  ): Promise<Page> => {
    const { q, role, status, sortBy, order, limit, cursor } = query
    const scope = { actorId, sortBy, order, q, role, status }
    const from = cursor === undefined ? undefined : cursors.read(scope, cursor)
    // Counted for the first page only, because counting takes longer than reading a page.
    const total = from?.total ?? counted ?? (await read(countUsers))
    const size = Math.min(limit, PAGE_MAX)
    const wanted = { q, role, status, sortBy, order, limit: size + 1, after: from }
    const { users, mayHaveMore } = await read((source) => pageOfUsers(source, wanted))
    const shown = users.slice(0, size)
    const last = users.length > size || mayHaveMore ? shown.at(-1) : undefined
    const pageNumber = from?.page ?? 1
    await record(actorId, query, shown.length, pageNumber)
    return {
      users: shown.map(({ user }) => user),
      total,
      next: last ? cursors.write(scope, { ...last.position, total, page: pageNumber + 1 }) : null,
    }
  }

  return {
    list: async (actorId, query, { afterOwnWrite }) => {
      const source = afterOwnWrite ? primary : reader
      const { q, role, status, sortBy, order, limit, cursor } = query
      const wantsPage = q || role || status || cursor !== undefined || limit < LISTING_MAX
      if (wantsPage) return readPage(source, actorId, query)
      const total = await source.read(countUsers)
      if (total > LISTING_MAX) return readPage(source, actorId, query, total)
      const from = (await source.canReadReplica()) ? 'replica' : 'primary'
      return streamInTurn(actorId, { sortBy, order }, from, () => record(actorId, query, total, 1))
    },
  }
}
