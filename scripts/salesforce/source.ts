import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'

export type Xml = Record<string, unknown>

export interface SourceFile {
  /** Relative to the project. */
  path: string
  name: string
  /** The kind of metadata: the name of the root element. */
  root: string
  body: Xml
}

const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false })

/** Reads every metadata file. Files that are not XML are reported as problems. */
export function readSource(project: string): { files: SourceFile[]; problems: string[] } {
  const folder = join(project, 'force-app')
  const problems: string[] = []
  const files: SourceFile[] = []
  if (!existsSync(folder)) return { files, problems: ['force-app is missing'] }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('-meta.xml')) continue
    const full = join(entry.parentPath, entry.name)
    const path = relative(project, full)
    const source = readFileSync(full, 'utf8')
    const valid = XMLValidator.validate(source)
    if (valid !== true) {
      problems.push(`${path}:${valid.err.line}: malformed XML: ${valid.err.msg}`)
      continue
    }
    const { '?xml': _, ...rest } = parser.parse(source) as Xml
    const [root = ''] = Object.keys(rest)
    const body = rest[root]
    if (typeof body !== 'object' || body === null) problems.push(`${path}: the file is empty`)
    else files.push({ path, name: basename(entry.name).split('.')[0]!, root, body: body as Xml })
  }
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), problems }
}

export function list(value: unknown): Xml[] {
  return value === undefined ? [] : ([value].flat() as Xml[])
}

/** A field belongs to the object of its folder under `objects`. */
export function objectOf({ path }: SourceFile): string {
  return /objects\/([^/]+)\//.exec(path)?.[1] ?? ''
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
