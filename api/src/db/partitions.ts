import { statement } from './database.ts'
import type { Queryable } from './database.ts'

/** Each call is one transaction, so that its locks are held for one partition only. */

const make = statement<{ name: string | null }>('select make_partition() as name')
const drop = statement<{ name: string | null }>('select drop_expired_partition() as name')

/** Runs until there is nothing left to do. Returns the names of the partitions. */
async function repeat(db: Queryable, run: typeof make): Promise<string[]> {
  const names: string[] = []
  for (;;) {
    const [row] = await run(db)
    if (row?.name == null) return names
    names.push(row.name)
  }
}

/** Creates the partitions of this month and the next three, and of today and the next three days. */
export const makePartitions = (db: Queryable): Promise<string[]> => repeat(db, make)

/** Drops the partitions of tokens and challenges that have expired. */
export const dropExpiredPartitions = (db: Queryable): Promise<string[]> => repeat(db, drop)

export interface PartitionState {
  table: string
  /** Partitions exist for rows before this time. */
  until: Date
  /** Whether rows went to the default partition, because theirs did not exist. */
  hasDefaultRows: boolean
}

export const partitionState = statement<PartitionState>(
  'select parent as "table", until, has_default_rows as "hasDefaultRows" from partition_state() order by parent',
)
