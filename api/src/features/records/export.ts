import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { recordEvent, wholeLogOf } from '../../db/audit-events.ts'
import type { Database, Tx } from '../../db/database.ts'
import {
  accountRecord,
  contactRequestRecords,
  documentRecords,
  mirrorRecords,
  outboxRecords,
  signInRecords,
  signUpRecords,
} from '../../db/records.ts'
import type { DocumentRecord } from '../../db/records.ts'

/** For nobody's eyes but the operator's. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

export interface ExportParts {
  db: Database
  findId(email: string): Promise<string | undefined>
  /** The answers of the intake, opened, as the transaction sees them. */
  intakeOf(userId: string, tx: Tx): Promise<object>
  /** The bytes of an upload that the file store does not have yet, opened. */
  bytesOf(upload: { id: string; chunks: number }): Readable
}

export interface Exporting {
  /** Writes a new folder; undefined where there is no such account. Answers how many files are in it. */
  export(email: string, folder: string): Promise<number | undefined>
}

/** Less than the 255 bytes that file systems allow, if every character takes four. */
const NAME_MAX = 50

/** A name from the database as part of a path: letters, digits and a few marks, and its end kept. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
  return Array.from(plain).slice(-NAME_MAX).join('')
}

export function exporting({ db, findId, intakeOf, bytesOf }: ExportParts): Exporting {
  const read = async (tx: Tx, userId: string) => {
    const account = await accountRecord(tx, userId)
    if (!account) return undefined
    const { salesforceId } = account
    return {
      account,
      intake: await intakeOf(userId, tx),
      documents: await documentRecords(tx, userId),
      contactRequests: await contactRequestRecords(tx, userId),
      signIns: await signInRecords(tx, userId),
      unverifiedSignUps: await signUpRecords(tx, userId),
      activity: await wholeLogOf(tx, userId),
      sentToCrm: await outboxRecords(tx, userId),
      copyOfCrm: salesforceId ? await mirrorRecords(tx, salesforceId) : null,
    }
  }

  const writeFiles = async (folder: string, documents: readonly DocumentRecord[]) => {
    const names: string[] = []
    for (const { name, uploads } of documents) {
      for (const upload of uploads.filter(({ storedAt }) => storedAt === null)) {
        const file = `file-${names.length + 1}-${fileName(name)}`
        const target = createWriteStream(join(folder, file), { mode: FILE_MODE, flags: 'wx' })
        await pipeline(bytesOf(upload), target)
        names.push(file)
      }
    }
    return names
  }

  return {
    export: async (email, folder) => {
      const userId = await findId(email)
      if (!userId) return undefined
      const record = await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((tx) => read(tx, userId))
      if (!record) return undefined
      await mkdir(folder, { mode: FOLDER_MODE })
      try {
        const filesStillHere = await writeFiles(folder, record.documents)
        const content = { exportedAt: new Date(), ...record, filesStillHere }
        const text = `${JSON.stringify(content, null, 2)}\n`
        await writeFile(join(folder, 'record.json'), text, { mode: FILE_MODE })
        await recordEvent(db, { event: 'account_exported', subjectId: userId })
        return filesStillHere.length + 1
      } catch (error) {
        // Half of a record would be taken for the whole.
        await rm(folder, { recursive: true })
        throw error
      }
    },
  }
}
