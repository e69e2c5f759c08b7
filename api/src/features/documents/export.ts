import { sql } from 'kysely'
import { rowsOf } from '../../db/database.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import type { Export } from '../feature.ts'
import { readChunks } from './chunks.ts'

interface DocumentRecord {
  id: string
  name: string
  uploads: { id: string; chunks: number; storedAt: string | null }[]
}

export function exportDocuments({
  db,
  sealer,
}: {
  db: Database
  sealer: Sealer
}): Export<{ documents: DocumentRecord[] }> {
  return {
    read: async (tx, userId) => ({ documents: await documentRecords(tx, userId) }),
    files: ({ documents }) =>
      documents.flatMap(({ name, uploads }) =>
        uploads
          .filter(({ storedAt }) => storedAt === null)
          .map((upload) => ({ name, open: () => readChunks(db, sealer, upload) })),
      ),
  }
}

function documentRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql<DocumentRecord>`
      select id, name, type, size::float8 as size, encode(sha256, 'hex') as sha256,
        encode(received_sha256, 'hex') as "receivedSha256", note, uploaded_at as "uploadedAt", removed, crm_id as "crmId", request_name as "requestName",
        box_file_id as "boxFileId",
        array(
          select jsonb_build_object('id', u.id, 'size', u.size, 'chunks', u.chunks,
            'receivedAt', u.received_at, 'storedAt', u.stored_at, 'refusal', u.refusal)
          from uploads u where u.document_id = documents.id order by u.id) as uploads
      from documents where user_id = ${userId} order by id`,
  )
}
