import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from './source.ts'
import type { SourceFile } from './source.ts'

interface ProjectFile {
  replacements?: { filename: string; stringToReplace: string }[]
}

/** Checks that every text that a deployment replaces exists in the source, and that every app which a file refers to exists. */
export function checkProject(project: string, files: readonly SourceFile[]): string[] {
  const { replacements = [] } = JSON.parse(
    readFileSync(join(project, 'sfdx-project.json'), 'utf8'),
  ) as ProjectFile
  const unmatched = replacements
    .filter(({ filename, stringToReplace }) => {
      const path = join(project, filename)
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(stringToReplace)
    })
    .map(({ filename }) => `sfdx-project.json: the text to replace is not in ${filename}`)
  return [...unmatched, ...referencesToMissingApps(files)]
}

function referencesToMissingApps(files: readonly SourceFile[]): string[] {
  const apps = new Set(
    files.filter(({ root }) => root === 'ExternalClientApplication').map(({ name }) => name),
  )
  return files
    .filter(({ body }) => body['externalClientApplication'] !== undefined)
    .filter(({ body }) => !apps.has(text(body['externalClientApplication'])))
    .map(({ path, body }) => {
      const app = text(body['externalClientApplication'])
      return `${path}: it belongs to the app ${app}, which does not exist`
    })
}
