import type { Database } from '../../db/database.ts'
import { gaugeSource } from '../../platform/gauge.ts'
import { unfinishedState } from './resumable/unfinished.sql.ts'
import { uploadState } from './uploads.sql.ts'

export const uploadGauges = (db: Database) =>
  gaugeSource({
    sourceName: 'uploads',
    gauges: {
      guidon_uploads_waiting: 'Uploaded files that have not reached the file store yet',
      guidon_uploads_bytes: 'Total size of the uploads waiting for the file store',
      guidon_uploads_oldest_seconds: 'Age of the oldest upload waiting for the file store',
      guidon_uploads_refused:
        'Uploads that the file store has refused; guidon_uploads_waiting includes them',
      guidon_uploads_unfinished: 'Uploads that are neither a document nor refused yet',
      guidon_uploads_unfinished_bytes: 'Bytes stored for the uploads in guidon_uploads_unfinished',
    },
    read: async () => {
      const { waiting, bytes, oldestSeconds, refused } = await uploadState(db)
      const unfinished = await unfinishedState(db)
      return {
        guidon_uploads_waiting: waiting,
        guidon_uploads_bytes: bytes,
        guidon_uploads_oldest_seconds: oldestSeconds ?? 0,
        guidon_uploads_refused: refused,
        guidon_uploads_unfinished: unfinished.count,
        guidon_uploads_unfinished_bytes: unfinished.bytes,
      }
    },
  })
