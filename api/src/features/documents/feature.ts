import { DAY_HOURS, deleteExpired } from '../../db/retention.ts'
import { freeBytes } from '../../files/writable.ts'
import { feature } from '../feature.ts'
import { admission } from './admission.ts'
import { documentCommands } from './commands.ts'
import { documents as documentService } from './documents.ts'
import { exportDocuments } from './export.ts'
import { uploadGauges } from './gauges.ts'
import { UPLOAD_PACE } from './pace.ts'
import { uploadQuota } from './quota.ts'
import { reencryptChunks } from './reencrypt.ts'
import { documentRoutes } from './routes.ts'
import { sendReceipt, sendReceiptWork } from './send-receipt.ts'
import { sendDocument } from './send-to-crm.ts'
import { storeDocument, storeDocumentWork } from './store-document.ts'
import { sendUploadsAgain, sweepUploads, sweepUploadsWork } from './sweep.ts'
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
      erase: 'cascade',
      retention: 'kept: until the file store has confirmed the file',
    },
  },
  encrypted: { upload_chunks: reencryptChunks },
  jobs: [storeDocument, sendReceipt, sweepUploads],
  serve: (app, parts) => {
    const { db, tokens, log, calls, uploadDirectory: directory } = parts
    documentRoutes(app, {
      documents: documentService(db),
      uploads: uploads(parts),
      receiving: {
        directory,
        admission: admission({
          checkQuota: uploadQuota(db, tokens, parts.uploadQuota),
          freeBytes: () => freeBytes(directory),
          log,
        }),
        pace: UPLOAD_PACE,
      },
      calls,
    })
  },
  work: (parts) => [
    storeDocumentWork(parts),
    sendReceiptWork(parts),
    sweepUploadsWork(parts.db, parts.jobs),
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
