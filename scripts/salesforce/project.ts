import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from './source.ts'
import type { SourceFile } from './source.ts'

interface ProjectFile {
  replacements?: { filename: string; stringToReplace: string }[]
}

/** What is put in at deployment has a place in the source, and the parts of an app belong to one. */
export function checkProject(project: string, files: readonly SourceFile[]): string[] {
  const { replacements = [] } = JSON.parse(
    readFileSync(join(project, 'sfdx-project.json'), 'utf8'),
  ) as ProjectFile
  const lost = replacements
    .filter(({ filename, stringToReplace }) => {
      const path = join(project, filename)
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(stringToReplace)
    })
    .map(({ filename }) => `sfdx-project.json: there is nothing to replace in ${filename}`)
  return [...lost, ...orphans(files)]
}

function orphans(files: readonly SourceFile[]): string[] {
  const apps = new Set(
    files.filter(({ root }) => root === 'ExternalClientApplication').map(({ name }) => name),
  )
  return files
    .filter(({ body }) => body['externalClientApplication'] !== undefined)
    .filter(({ body }) => !apps.has(text(body['externalClientApplication'])))
    .map(({ path, body }) => {
      const app = text(body['externalClientApplication'])
      return `${path}: it belongs to the app ${app}, which is not there`
    })
}
