import { basename } from 'node:path'
import { isField } from './fields.ts'
import { list, objectOf, text } from './source.ts'
import type { SourceFile } from './source.ts'

/** Checks that records of custom metadata types use only fields that exist. */
export function checkRecords(files: readonly SourceFile[]): string[] {
  const fields = new Set(files.filter(isField).map((file) => `${objectOf(file)}.${file.name}`))
  return files
    .filter(({ root }) => root === 'CustomMetadata')
    .flatMap(({ path, body }) => {
      const type = `${basename(path).split('.')[0]}__mdt`
      return list(body['values'])
        .map(({ field }) => `${type}.${text(field)}`)
        .filter((field) => !fields.has(field))
        .map((field) => `${path}: it sets ${field}, which does not exist`)
    })
}
