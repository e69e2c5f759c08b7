import type { Plugin } from 'vite'
import { LATER_FILES_ELEMENT } from './src/app/later-files.ts'

interface Chunk {
  fileName: string
  moduleIds: readonly string[]
  imports: readonly string[]
  dynamicImports: readonly string[]
}

/** Lists in the page the files of the screens that are opened later, so that the browser can fetch them ahead. */
export function laterFiles(modules: {
  /** The module that imports the screens. */
  app: string
  /** The screens of staff: their files are listed apart. */
  staff: readonly string[]
  /** Modules whose files are not listed. */
  rare: readonly string[]
}): Plugin {
  return {
    name: 'guidon:later-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const files = filesOf(chunks, modules)
        return [
          {
            tag: 'script',
            attrs: { type: 'application/json', id: LATER_FILES_ELEMENT },
            children: JSON.stringify(files),
            injectTo: 'head' as const,
          },
        ]
      },
    },
  }
}

function filesOf(
  chunks: readonly Chunk[],
  { app, staff, rare }: { app: string; staff: readonly string[]; rare: readonly string[] },
) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const chunkOf = (module: string): Chunk => {
    const found = chunks.find(({ moduleIds }) => moduleIds.includes(module))
    if (found === undefined) throw new Error(`The build has no chunk of ${module}`)
    return found
  }
  function collect(
    first: readonly Chunk[],
    known: ReadonlySet<Chunk>,
    follow: 'static' | 'all',
  ): Set<Chunk> {
    const found = new Set(first)
    for (const { imports, dynamicImports } of found) {
      for (const name of follow === 'all' ? [...imports, ...dynamicImports] : imports) {
        const chunk = byName.get(name)
        if (chunk !== undefined && !known.has(chunk)) found.add(chunk)
      }
    }
    return found
  }
  const appChunk = chunkOf(app)
  const staffChunks = staff.map(chunkOf)
  const firstLoad = collect([appChunk], new Set(), 'static')
  const omitted = new Set([...staffChunks, ...rare.map(chunkOf)])
  const forAll = collect([appChunk], omitted, 'all')
  const forStaff = collect(staffChunks, new Set([...forAll, ...omitted]), 'all')
  const namesOf = (files: ReadonlySet<Chunk>) =>
    [...files].filter((chunk) => !firstLoad.has(chunk)).map(({ fileName }) => fileName)
  return { all: namesOf(forAll), staff: namesOf(forStaff) }
}
