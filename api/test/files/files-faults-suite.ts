import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { FilesUnavailable } from '../../src/files/port.ts'
import { contentOf, sha1 } from './files-suite.ts'
import type { Fault, FilesUnderTest } from './files-suite.ts'

export type Operation =
  | 'folder'
  | 'upload'
  | 'upload large'
  | 'replace'
  | 'replace large'
  | 'download'

/** How a fault shows, where it could not be mended. */
export interface Outcome {
  code: string
  /** Other calls do not know this fault. */
  strikes?: 'some'
}

/**
 * Each fault, at each call of each operation: it settles in time and in our words, and once the store is
 * well again, the same operation leaves exactly one file.
 */
export function filesFaultsSuite(
  name: string,
  make: () => Promise<FilesUnderTest>,
  steps: Record<Operation, readonly Omit<Fault, 'mode'>[]>,
  modes: Record<string, Outcome>,
): void {
  const cases = Object.entries(steps).flatMap(([operation, struck]) =>
    struck.flatMap((step) => [
      { operation: operation as Operation, step: { ...step, times: 1 }, often: 'once' },
      { operation: operation as Operation, step, often: 'for good' },
    ]),
  )

  describe.each(Object.entries(modes))(`the file store of ${name}, %s`, (mode, outcome) => {
    // Each with a store of its own, many at a time: most of it is waiting.
    it.concurrent.each(cases)('$operation ($step.method $step.path, $often)', async (struck) => {
      const { operation, step, often } = struck
      const store = await make()
      const { begin, act, check } = operations[operation](store, await store.files.folder('v-1'))
      const id = await begin()
      await store.fault({ mode, ...step })
      const started = performance.now()
      const result = await act(id).then(() => 'done', wordOf)
      expect(performance.now() - started).toBeLessThan(store.boundMs)
      // What strikes once may be mended on the way; what stays must be told.
      const mayBeDone = often === 'once' || outcome.strikes === 'some'
      expect(mayBeDone ? ['done', outcome.code] : [outcome.code]).toContain(result)
      await store.fault({ mode: 'none' })
      await act(id)
      await check()
      await store.close()
    })
  })
}

const wordOf = (error: unknown) =>
  error instanceof FilesUnavailable ? error.code : `unexpected: ${String(error)}`

interface Acted {
  begin(): Promise<string>
  act(id: string): Promise<unknown>
  /** What must be there, however often it was tried. */
  check(): Promise<void>
}

type Prepare = (store: FilesUnderTest, folderId: string) => Acted

const operations: Record<Operation, Prepare> = {
  folder: (store) => ({
    begin: async () => '',
    act: () => store.files.folder('v-2'),
    check: async () => {
      const made = (await store.folders()).filter((folder) => folder.name === 'v-2')
      expect(made).toHaveLength(1)
    },
  }),
  upload: uploading(false),
  'upload large': uploading(true),
  replace: replacing(false),
  'replace large': replacing(true),
  download: (store, folderId) => {
    const bytes = someBytes(store, false)
    return {
      begin: () => store.files.upload(folderId, contentOf('a.pdf', bytes)),
      act: async (id) => {
        expect((await buffer(await store.files.download(id))).equals(bytes)).toBe(true)
      },
      check: () => hasVersions(store, folderId, bytes),
    }
  },
}

function uploading(isLarge: boolean): Prepare {
  return (store, folderId) => {
    const bytes = someBytes(store, isLarge)
    return {
      begin: async () => '',
      act: () => store.files.upload(folderId, contentOf('a.pdf', bytes)),
      check: () => hasVersions(store, folderId, bytes),
    }
  }
}

function replacing(isLarge: boolean): Prepare {
  return (store, folderId) => {
    const [first, bytes] = [randomBytes(5), someBytes(store, isLarge)]
    return {
      begin: () => store.files.upload(folderId, contentOf('a.pdf', first)),
      act: (id) => store.files.replace(id, contentOf('a.pdf', bytes)),
      check: () => hasVersions(store, folderId, bytes, first),
    }
  }
}

const someBytes = ({ inPartsFrom }: FilesUnderTest, isLarge: boolean) =>
  randomBytes(isLarge ? inPartsFrom * 2 + 17 : 30_000)

/** One file, of these versions. */
async function hasVersions(store: FilesUnderTest, folderId: string, ...expected: Buffer[]) {
  const stored = await store.stored(folderId)
  expect(stored.map((file) => file.versions.map((version) => version.sha1))).toEqual([
    expected.map(sha1),
  ])
}
