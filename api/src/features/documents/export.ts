import { sql } from 'kysely'
import { rowsOf } from '../../db/database.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Sealer } from '../../platform/crypto/sealer.ts'
import type { Export } from '../feature.ts'
import { readChunks } from './receive/chunks.ts'
import { findChunks } from './uploads.sql.ts'

interface DocumentRecord {
  id: string
  name: string
  uploads: { id: string; size: number; storedAt: string | null }[]
}

interface UnfinishedRecord {
  id: string
  name: string
  size: number
  received: number
}

export function exportDocuments({
  db,
  sealer,
}: {
  db: Database
  sealer: Sealer
}): Export<{ documents: DocumentRecord[]; unfinishedUploads: UnfinishedRecord[] }> {
  return {
    read: async (tx, userId) => ({
      documents: await documentRecords(tx, userId),
      unfinishedUploads: await unfinishedRecords(tx, userId),
    }),
    files: ({ documents, unfinishedUploads }, userId) => [
      ...documents.flatMap(({ name, uploads }) =>
        uploads
          .filter(({ storedAt }) => storedAt === null)
          .map(({ id, size }) => ({
            name,
            open: () => readChunks(db, sealer, { id, userId, size }),
          })),
      ),
      ...unfinishedUploads.map(({ id, name, size, received }) => {
        const stored = { id, userId, size, received }
        const isGone = async () => (await findChunks(db, id, { from: 0, below: 1 })).length === 0
        return { name, open: () => readChunks(db, sealer, stored), isGone }
      }),
    ],
  }
}

function unfinishedRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql<UnfinishedRecord>`
      select id, name, fields, size::float8 as size, received::float8 as received,
        expires_at as "expiresAt"
      from unfinished_uploads
      where user_id = ${userId} and name is not null and document_id is null and refusal is null
      order by id`,
  )
}

function documentRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql<DocumentRecord>`
      select id, name, type, size::float8 as size, encode(sha256, 'hex') as sha256,
        encode(received_sha256, 'hex') as "receivedSha256", note, uploaded_at as "uploadedAt", crm_id as "crmId", request_name as "requestName",
        box_file_id as "boxFileId",
        array(
          select jsonb_build_object('id', u.id, 'size', u.size,
            'receivedAt', u.received_at, 'storedAt', u.stored_at, 'refusal', u.refusal)
          from uploads u where u.document_id = documents.id order by u.id) as uploads
      from documents where user_id = ${userId} order by id`,
  )
}
