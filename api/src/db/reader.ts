import { sql } from 'kysely'
import type { Log } from '../platform/log.ts'
import { withTimeout } from '../platform/timeout.ts'
import type { Database } from './database.ts'
import { isUnavailable } from './unavailable.ts'

/** If the replica is further behind than this, the primary is read. */
export const MAX_LAG_SECONDS = 10
const CHECK_EVERY_MS = 1_000
const CHECK_TIMEOUT_MS = 1_000
/** A standby cancels a statement that needs rows which the primary has removed. */
const CONFLICT_WITH_RECOVERY = '40001'

export interface Reader {
  /** Reads from the replica, or from the primary while the replica is unreachable or too old. */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>
  hasReplica: boolean
  /** Whether the replica can be read at the moment; false without a replica. */
  canReadReplica(): Promise<boolean>
}

/** Without a replica. */
export const primaryReader = (primary: Database): Reader => ({
  hasReplica: false,
  read: (work) => work(primary),
  canReadReplica: async () => false,
})

interface ReaderParts {
  primary: Database
  replica: Database
  log: Pick<Log, 'warn' | 'info'>
  /** Called for each read that falls back to the primary. */
  onFallback?: () => void
}

export function replicaReader({ primary, replica, log, onFallback }: ReaderParts): Reader {
  let checkedAt = -Infinity
  let problem: Promise<string | undefined> = Promise.resolve(undefined)
  let loggedProblem: string | undefined

  const report = (found: string | undefined) => {
    if (found === loggedProblem) return
    loggedProblem = found
    if (found === undefined) log.info('replica: used again')
    else log.warn({ reason: found }, 'replica: not used')
  }
  const check = async () => {
    const found = await withTimeout(CHECK_TIMEOUT_MS, problemOf(replica)).catch(reasonOf)
    report(found)
    return found
  }
  const canReadReplica = async () => {
    if (performance.now() - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = performance.now()
      problem = check()
    }
    return (await problem) === undefined
  }

  return {
    hasReplica: true,
    canReadReplica,
    read: async (work) => {
      if (await canReadReplica()) {
        try {
          return await work(replica)
        } catch (error) {
          if (!isUnavailable(error) && codeOf(error) !== CONFLICT_WITH_RECOVERY) throw error
          problem = Promise.resolve(reasonOf(error))
          report(reasonOf(error))
        }
      }
      onFallback?.()
      return work(primary)
    },
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const reasonOf = (error: unknown): string => codeOf(error) ?? 'no response'

/**
 * Why the replica must not be used. The time of the last replayed transaction says nothing while the primary writes
 * nothing, so it counts only if the replica has received more than it has replayed.
 */
async function problemOf(replica: Database): Promise<string | undefined> {
  const { lagSeconds, isDisconnected } = await replicaState(replica)
  if (isDisconnected) return 'it receives nothing from the primary'
  return lagSeconds > MAX_LAG_SECONDS ? `it is more than ${MAX_LAG_SECONDS} s behind` : undefined
}

interface ReplicaState {
  /** False for the primary, which is never behind. */
  isStandby: boolean
  isDisconnected: boolean
  lagSeconds: number
}

export async function replicaState(replica: Database): Promise<ReplicaState> {
  const { rows } = await sql<ReplicaState>`
    select standby as "isStandby",
      standby and not exists (select from pg_stat_wal_receiver) as "isDisconnected",
      case when not standby or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
        else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)
      end::float8 as "lagSeconds"
    from pg_is_in_recovery() as standby`.execute(replica)
  return rows[0]!
}
