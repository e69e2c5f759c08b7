import type { Database } from '../src/db/database.ts'
import { sweep } from '../src/features/records/retention.ts'
import { features } from '../src/main/features.ts'
import { retentionOf } from '../src/main/merge-features.ts'

export const RETENTION = retentionOf(features)

/** Runs the hourly sweep with the rules of all features. */
export const sweepAll = (db: Database) => sweep(db, RETENTION)
