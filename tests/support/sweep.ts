import type { Database } from '../../api/src/db/database.ts'
import { sweep } from '../../api/src/features/data-protection/retention.ts'
import { features } from '../../api/src/main/compose/features.ts'
import { retentionOf } from '../../api/src/main/compose/merge-features.ts'

export const RETENTION = retentionOf(features)

/** Runs the hourly sweep with the rules of all features. */
export const sweepAll = (db: Database) => sweep(db, RETENTION)
