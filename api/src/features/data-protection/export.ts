import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Reader } from '../../db/reader.ts'
import type { Export } from '../feature.ts'

/** Only the operator who ran the export can read it. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

export interface ExportParts {
  db: Database
  reader: Pick<Reader, 'read'>
  findId(email: string): Promise<string | undefined>
  exports: readonly Export[]
}

export interface Exporting {
  /** Writes a new folder. Returns the number of its files, or undefined if there is no such account. */
  export(email: string, folder: string): Promise<number | undefined>
}

/** Less than the 255 bytes that file systems allow, even if every character takes four. */
const NAME_MAX = 50

/** Makes a name from the database safe as part of a path, and keeps its end with the file type. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
  return Array.from(plain).slice(-NAME_MAX).join('')
}

export function exporting({ db, reader, findId, exports }: ExportParts): Exporting {
  const read = async (tx: Tx, userId: string) => {
    const record: Record<string, unknown> = {}
    const files = []
    for (const feature of exports) {
      const parts = await feature.read(tx, userId)
      Object.assign(record, parts)
      files.push(...(feature.files?.(parts, userId) ?? []))
    }
    return { record, files }
  }

  const writeFiles = async (folder: string, files: Awaited<ReturnType<typeof read>>['files']) => {
    const names: string[] = []
    for (const { name, open, isGone } of files) {
      const file = `file-${names.length + 1}-${fileName(name)}`
      const path = join(folder, file)
      try {
        await pipeline(open(), createWriteStream(path, { mode: FILE_MODE, flags: 'wx' }))
        names.push(file)
      } catch (error) {
        if (!(await isGone?.())) throw error
        await rm(path, { force: true })
      }
    }
    return names
  }

  return {
    export: async (email, folder) => {
      const userId = await findId(email)
      if (!userId) return undefined
      const { record, files } = await reader.read((source) =>
        source
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute((tx) => read(tx, userId)),
      )
      if (!record['account']) return undefined
      await mkdir(folder, { mode: FOLDER_MODE })
      try {
        const filesStillHere = await writeFiles(folder, files)
        const content = { exportedAt: new Date(), ...record, filesStillHere }
        const text = `${JSON.stringify(content, null, 2)}\n`
        await writeFile(join(folder, 'record.json'), text, { mode: FILE_MODE })
        await recordEvent(db, { event: 'account_exported', subjectId: userId })
        return filesStillHere.length + 1
      } catch (error) {
        // An incomplete folder could be mistaken for a complete one.
        await rm(folder, { recursive: true })
        throw error
      }
    },
  }
}
