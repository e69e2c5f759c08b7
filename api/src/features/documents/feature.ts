import { DAY_HOURS, deleteExpired } from '../../db/retention.ts'
import { freeBytes } from '../../files/writable.ts'
import { TRANSFER_PACE } from '../../platform/transfer-pace.ts'
import { feature } from '../feature.ts'
import { documentCommands } from './commands.ts'
import { documents as documentService } from './documents.ts'
import { exportDocuments } from './export.ts'
import { uploadGauges } from './gauges.ts'
import { admission } from './receive/admission.ts'
import type { Sender } from './receive/admission.ts'
import { storeEarly } from './receive/early-chunks.ts'
import { uploadQuota } from './receive/quota.ts'
import { expireUploads, expireUploadsWork } from './resumable/expire-uploads.ts'
import { resumableRoutes } from './resumable/resumable-routes.ts'
import { resumableUploads } from './resumable/resumable.ts'
import { documentRoutes } from './routes.ts'
import { reencryptChunks } from './store/reencrypt.ts'
import { sendReceipt, sendReceiptWork } from './store/send-receipt.ts'
import { sendDocument } from './store/send-to-crm.ts'
import { storeDocument, storeDocumentWork } from './store/store-document.ts'
import { sendUploadsAgain, sweepUploads, sweepUploadsWork } from './store/sweep.ts'
import { uploads } from './upload.ts'
import { uploadState } from './uploads.sql.ts'

export const documents = feature({
  name: 'documents',
  tables: {
    documents: {
      export: 'documents',
      erase: 'cascade',
      retention: 'kept: as long as the account',
    },
    uploads: {
      export: 'documents',
      erase: 'cascade',
      // A month after the file store has confirmed the file, to investigate what was sent.
      retention: {
        hours: 30 * DAY_HOURS,
        delete: deleteExpired('uploads', { expiry: 'stored_at' }),
      },
    },
    upload_chunks: {
      export: 'not exported: as rows; the files that they hold are in the exported folder',
      erase: 'deleted: by triggers, with the upload or the unfinished upload',
      retention:
        'kept: until the file store has confirmed the file, or the unfinished upload expires',
    },
    unfinished_uploads: {
      export: 'unfinishedUploads',
      erase: 'cascade',
      retention: 'kept: for a day, then deleted within minutes by the job documents.expire',
    },
  },
  encrypted: { upload_chunks: reencryptChunks },
  jobs: [storeDocument, sendReceipt, sweepUploads, expireUploads],
  serve: (app, parts) => {
    const { db, tokens, log, calls, uploadDirectory: directory } = parts
    const quota = uploadQuota(db, tokens, parts.uploadQuota)
    const checkQuota = async ({ userId, handOffId }: Sender, bytes: number) => {
      await quota.requireQuota(userId, bytes)
      if (handOffId === undefined) await quota.countTry(userId, bytes)
      else await quota.countFromPhone(userId, bytes)
    }
    const receiving = {
      directory,
      admission: admission({ checkQuota, freeBytes: () => freeBytes(directory), log }),
      pace: TRANSFER_PACE,
      storeEarly: storeEarly(parts),
    }
    const service = uploads(parts)
    documentRoutes(app, { documents: documentService(db), uploads: service, receiving, calls })
    resumableRoutes(app, resumableUploads({ ...parts, receiving, uploads: service, quota }))
  },
  work: (parts) => [
    storeDocumentWork(parts),
    sendReceiptWork(parts),
    sweepUploadsWork(parts.db, parts.jobs),
    expireUploadsWork(parts.db, parts.log),
  ],
  crm: () => ({ document: sendDocument }),
  gauges: ({ db }) => [uploadGauges(db)],
  export: exportDocuments,
  admin: ({ db, jobs }) => ({
    files: {
      status: () => uploadState(db),
      sendAgain: () => sendUploadsAgain(db, jobs),
    },
  }),
  commands: documentCommands,
})
