import { sql } from 'kysely'
import { collectWork } from '../../../../api/src/features/notices/collect.ts'
import { readReportsWork } from '../../../../api/src/features/notices/read-reports.ts'
import { remindWork } from '../../../../api/src/features/notices/remind.ts'
import { sendNoticesWork } from '../../../../api/src/features/notices/send-notices.ts'
import type { Now } from '../../../../api/src/features/notices/time.ts'
import { openJobWorker } from '../../../../api/src/jobs/working.ts'
import { features } from '../../../../api/src/main/compose/features.ts'
import { openWorkerParts } from '../../../../api/src/main/compose/worker-parts.ts'
import { loadConfig } from '../../../../api/src/main/config/config.ts'
import { createLog } from '../../../../api/src/platform/log.ts'

/** The jobs of notices in a process of their own, at the time that the table `proof_clock` has. */
const config = loadConfig()
const log = createLog('silent', 'worker')
const { parts } = await openWorkerParts(new AsyncDisposableStack(), config, features, log)
const now: Now = async (db) =>
  (await sql<{ at: Date }>`select at from proof_clock`.execute(db)).rows[0]!.at
const worker = await openJobWorker(config.DATABASE_URL, log)
await worker.work([
  collectWork(parts, now),
  remindWork(parts.db, now),
  sendNoticesWork(parts, now),
  readReportsWork(parts),
])
process.stdout.write('ready\n')
