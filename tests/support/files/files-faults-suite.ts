import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { FilesUnavailable } from '../../../api/src/files/port.ts'
import { anyFile, contentOf, GROUP, sha1 } from './files-suite.ts'
import type { Fault, FilesUnderTest } from './files-suite.ts'

export type Operation =
  | 'folder'
  | 'upload'
  | 'upload large'
  | 'replace'
  | 'replace large'
  | 'download'

/** What the adapter reports for a fault that it cannot recover from. */
export interface Outcome {
  code: string
  /** Set if the adapter repeats such a call: a single fault then differs from a permanent one. */
  repeats?: true
  /** Set if the adapter ends such a call like that of another fault, except for the code: one call of each kind. */
  likeAnother?: true
  /** Matches the method and path of the calls that can have this fault; without it, all can. */
  onlyAt?: RegExp
}

/** With a body of JSON, of a file, and with a file as its response. */
const CALL_KINDS = new Set<Operation>(['folder', 'upload', 'download'])

/**
 * Tests each fault at the calls of each operation: the operation ends in time with a known error code, and
 * its retry after the fault leaves exactly one file.
 */
export function filesFaultsSuite(
  name: string,
  make: (mode: string) => Promise<FilesUnderTest>,
  steps: Record<Operation, readonly Omit<Fault, 'mode'>[]>,
  modes: Record<string, Outcome>,
): void {
  const all = (Object.keys(steps) as Operation[]).flatMap((operation) =>
    steps[operation].map((step) => ({ operation, step })),
  )
  const casesOf = ({ repeats, likeAnother, onlyAt = /^/ }: Outcome) =>
    (repeats ? ['once', 'permanently'] : ['permanently']).flatMap((duration) =>
      all
        .filter(({ operation }) => !likeAnother || CALL_KINDS.has(operation))
        .filter(({ step }) => onlyAt.test(`${step.method} ${step.path}`))
        .map(({ operation, step }) => ({ operation, step, duration })),
    )

  describe.each(Object.entries(modes))(`the file store of ${name}, %s`, (mode, outcome) => {
    // Concurrent, each with its own store, because most of the time is waiting.
    it.concurrent.each(casesOf(outcome))(
      '$operation ($step.method $step.path, $duration)',
      async (testCase) => {
        const { operation, step, duration } = testCase
        const store = await make(mode)
        const { prepare, run, check } = operations[operation](
          store,
          await store.files.folder('v-1', GROUP),
        )
        const id = await prepare()
        await store.fault({ mode, ...step, ...(duration === 'once' && { times: 1 }) })
        const result = await run(id).then(() => 'done', codeOf)
        // The adapter may recover from a single fault; a permanent one must be reported.
        expect(duration === 'once' ? ['done', outcome.code] : [outcome.code]).toContain(result)
        await store.fault({ mode: 'none' })
        // Again if it times out, because the machine may be busy.
        await vi.waitFor(() => run(id), { timeout: 60_000 })
        await check()
        await store.close()
      },
    )
  })
}

const codeOf = (error: unknown) =>
  error instanceof FilesUnavailable ? error.code : `unexpected: ${String(error)}`

interface TestedOperation {
  prepare(): Promise<string>
  run(id: string): Promise<unknown>
  /** Checks the stored files; the number of tries must not matter. */
  check(): Promise<void>
}

type MakeOperation = (store: FilesUnderTest, folderId: string) => TestedOperation

const operations: Record<Operation, MakeOperation> = {
  folder: (store) => ({
    prepare: async () => '',
    run: () => store.files.folder('v-2', GROUP),
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
      prepare: () => store.files.upload(folderId, contentOf('a.pdf', bytes)),
      run: async (id) => {
        expect((await buffer((await store.files.download(id, anyFile)).bytes)).equals(bytes)).toBe(
          true,
        )
      },
      check: () => hasVersions(store, folderId, bytes),
    }
  },
}

function uploading(isLarge: boolean): MakeOperation {
  return (store, folderId) => {
    const bytes = someBytes(store, isLarge)
    return {
      prepare: async () => '',
      run: () => store.files.upload(folderId, contentOf('a.pdf', bytes)),
      check: () => hasVersions(store, folderId, bytes),
    }
  }
}

function replacing(isLarge: boolean): MakeOperation {
  return (store, folderId) => {
    const [first, bytes] = [randomBytes(5), someBytes(store, isLarge)]
    return {
      prepare: () => store.files.upload(folderId, contentOf('a.pdf', first)),
      run: (id) => store.files.replace(id, contentOf('a.pdf', bytes), anyFile),
      check: () => hasVersions(store, folderId, bytes, first),
    }
  }
}

const someBytes = ({ inPartsFrom }: FilesUnderTest, isLarge: boolean) =>
  randomBytes(isLarge ? inPartsFrom * 2 + 17 : 30_000)

/** Expects exactly one file with these versions. */
async function hasVersions(store: FilesUnderTest, folderId: string, ...expected: Buffer[]) {
  const stored = await store.stored(folderId)
  expect(stored.map((file) => file.versions.map((version) => version.sha1))).toEqual([
    expected.map(sha1),
  ])
}
