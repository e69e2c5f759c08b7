import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FilesRefused } from '../../../api/src/files/port.ts'
import type { Content, Files, IsOwn } from '../../../api/src/files/port.ts'

interface StoredFile {
  id: string
  name: string
  sha1: string
  versions: readonly { sha1: string }[]
}

/** A file store with direct access to its contents. */
export interface FilesUnderTest {
  files: Files
  /** Files of this size and above are uploaded in parts. */
  inPartsFrom: number
  stored(folderId: string): Promise<StoredFile[]>
  folders(): Promise<{ id: string; name: string }[]>
  bytes(fileId: string): Promise<Buffer>
  /** Writes a file without the adapter, as another user would. */
  writeDirectly(folderId: string, name: string, bytes: Buffer): Promise<StoredFile>
  move(fileId: string, folderId: string): Promise<void>
  fault(fault: Fault): Promise<void>
  /** Empties the store and ends all faults. */
  reset(): Promise<void>
  close(): Promise<void>
}

export interface Fault {
  mode: string
  times?: number
  method?: string
  path?: string
}

/** The group of all folders of these tests. */
export const GROUP = 'a1'
export const anyFile: IsOwn = async () => true
const noFile: IsOwn = async () => false

export const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex')

export function contentOf(name: string, bytes: Buffer): Content {
  return { name, size: bytes.length, sha1: sha1(bytes), open: () => Readable.from([bytes]) }
}

/** What every file store adapter must do. */
export function filesSuite(name: string, make: () => Promise<FilesUnderTest>): void {
  describe(`the file store of ${name}`, () => {
    let store: FilesUnderTest
    let folderId: string
    let small: Buffer
    let large: Buffer

    beforeAll(async () => {
      store = await make()
    })
    afterAll(() => store.close())
    beforeEach(async () => {
      await store.reset()
      folderId = await store.files.folder('veteran-1', GROUP)
      small = randomBytes(30_000)
      large = randomBytes(store.inPartsFrom * 2 + 17)
    })

    const open = async (id: string) => buffer((await store.files.download(id, anyFile)).bytes)

    it('returns the same folder for the same name', async () => {
      const ids = await Promise.all(
        ['veteran-1', 'veteran-2'].map((each) => store.files.folder(each, GROUP)),
      )
      expect(ids).toEqual([folderId, expect.any(String)])
      expect(ids[1]).not.toBe(folderId)
      expect((await store.folders()).filter(({ id }) => ids.includes(id))).toHaveLength(2)
    })

    it('creates one folder for concurrent requests of the same name, also if its group is new', async () => {
      const ids = await Promise.all(
        Array.from({ length: 8 }, () => store.files.folder('veteran-3', 'b2')),
      )
      expect(new Set(ids).size).toBe(1)
      expect((await store.folders()).filter((folder) => folder.name === 'b2')).toHaveLength(1)
    })

    it('says which folders a file and a folder are in, without those of all veterans', async () => {
      const id = await store.files.upload(folderId, contentOf('a.pdf', small))
      const paths: (readonly string[])[] = []
      const isOwn = async (path: readonly string[]) => paths.push(path) > 0
      await store.files.find(id, isOwn)
      expect(paths).toEqual([[folderId]])
      const opened = { name: 'veteran-1', parentName: GROUP, path: [folderId] }
      expect(await store.files.openFolder(folderId)).toEqual(opened)
      const group = (await store.folders()).find((folder) => folder.name === GROUP)!
      expect((await store.files.openFolder(group.id)).path).toEqual([])
      await expect(store.files.openFolder('999')).rejects.toThrow(new FilesRefused('not_found'))
    })

    it.each(['small', 'large'])(
      'neither reads nor replaces a file that is not own: %s',
      async (size) => {
        const id = await store.files.upload(folderId, contentOf('a.pdf', small))
        const foreign = new FilesRefused('misplaced')
        const content = contentOf('a.pdf', size === 'small' ? randomBytes(5) : large)
        await expect(store.files.replace(id, content, noFile)).rejects.toThrow(foreign)
        await expect(store.files.find(id, noFile)).rejects.toThrow(foreign)
        await expect(store.files.download(id, noFile)).rejects.toThrow(foreign)
        expect(await store.stored(folderId)).toMatchObject([{ id, versions: [{}] }])
      },
    )

    it.each(['small', 'large'])(
      'does not replace a file that is moved to somebody else during the upload: %s',
      async (size) => {
        const other = await store.files.folder('veteran-2', GROUP)
        const id = await store.files.upload(folderId, contentOf('a.pdf', randomBytes(3)))
        const bytes = size === 'small' ? small : large
        let isMoved = false
        async function* opened() {
          yield bytes.subarray(0, 10_000)
          if (!isMoved) await store.move(id, other)
          isMoved = true
          yield bytes.subarray(10_000)
        }
        const content = { ...contentOf('a.pdf', bytes), open: () => Readable.from(opened()) }
        const isOwn: IsOwn = async (path) => path.includes(folderId)
        await expect(store.files.replace(id, content, isOwn)).rejects.toThrow(
          new FilesRefused('misplaced'),
        )
        expect(await store.stored(other)).toMatchObject([{ id, versions: [{}] }])
      },
    )

    it.each([0, 1, 65_535, 65_536, 65_537, 1_000_003])(
      'stores a file of %i bytes unchanged',
      async (size) => {
        const bytes = randomBytes(size)
        const id = await store.files.upload(folderId, contentOf('DD-214.pdf', bytes))
        expect((await open(id)).equals(bytes)).toBe(true)
        expect((await store.bytes(id)).equals(bytes)).toBe(true)
      },
    )

    it.each([-1, 0, 1])(
      'stores a file unchanged whose size is the minimum of multipart uploads plus %i',
      async (difference) => {
        const bytes = randomBytes(store.inPartsFrom + difference)
        const id = await store.files.upload(folderId, contentOf('Records.pdf', bytes))
        expect((await open(id)).equals(bytes)).toBe(true)
      },
    )

    it.each(['Año “2024” – résumé 日本.pdf', 'a"b;c=d\'%22.jpg', '&<x>.pdf', '100% (final).pdf'])(
      'keeps the name %s',
      async (fileName) => {
        await store.files.upload(folderId, contentOf(fileName, small))
        await store.files.upload(folderId, contentOf(`large ${fileName}`, large))
        const names = (await store.stored(folderId)).map((file) => file.name)
        expect(names.toSorted()).toEqual([fileName, `large ${fileName}`].toSorted())
      },
    )

    it.each(['small', 'large'])('stores the same %s file only once', async (size) => {
      const content = contentOf('a.pdf', size === 'small' ? small : large)
      const id = await store.files.upload(folderId, content)
      expect(await store.files.upload(folderId, content)).toBe(id)
      expect(await store.stored(folderId)).toMatchObject([{ id, versions: [{}] }])
    })

    it.each(['small', 'large'])(
      'refuses a %s file if a file of the same name has other content',
      async (size) => {
        const length = size === 'small' ? 3 : large.length
        await store.files.upload(folderId, contentOf('a.pdf', randomBytes(length)))
        const other = store.files.upload(folderId, contentOf('a.pdf', randomBytes(length)))
        await expect(other).rejects.toThrow(new FilesRefused('name_taken'))
        expect(await store.stored(folderId)).toHaveLength(1)
      },
    )

    it('refuses an unknown folder and an unknown file', async () => {
      const gone = new FilesRefused('not_found')
      await expect(store.files.upload('999', contentOf('a.pdf', small))).rejects.toThrow(gone)
      await expect(store.files.replace('999', contentOf('a.pdf', small), anyFile)).rejects.toThrow(
        gone,
      )
      await expect(store.files.download('999', anyFile)).rejects.toThrow(gone)
    })

    it.each(['small', 'large'])('adds a %s version and keeps the earlier one', async (size) => {
      const [first, second] = [randomBytes(3), size === 'small' ? small : large]
      const id = await store.files.upload(folderId, contentOf('a.pdf', first))
      await store.files.replace(id, contentOf('a.pdf', second), anyFile)
      await store.files.replace(id, contentOf('a.pdf', second), anyFile)
      expect((await open(id)).equals(second)).toBe(true)
      expect(await store.stored(folderId)).toMatchObject([
        { id, versions: [{ sha1: sha1(second) }, { sha1: sha1(first) }] },
      ])
    })

    it('adds one version for two concurrent uploads of the same content', async () => {
      const first = randomBytes(3)
      const id = await store.files.upload(folderId, contentOf('a.pdf', first))
      const same = contentOf('a.pdf', small)
      await Promise.all([1, 2].map(() => store.files.replace(id, same, anyFile)))
      expect(await store.stored(folderId)).toMatchObject([
        { versions: [{ sha1: sha1(small) }, {}] },
      ])
    })

    it('adds its version after one that somebody else added during the upload', async () => {
      const id = await store.files.upload(folderId, contentOf('a.pdf', randomBytes(3)))
      const theirs = randomBytes(4)
      const opened = async function* () {
        yield small.subarray(0, 10_000)
        if (!(await store.bytes(id)).equals(theirs))
          await store.writeDirectly(folderId, 'a.pdf', theirs)
        yield small.subarray(10_000)
      }
      const content = { ...contentOf('a.pdf', small), open: () => Readable.from(opened()) }
      await store.files.replace(id, content, anyFile)
      const [file] = await store.stored(folderId)
      expect(file?.versions.map((version) => version.sha1).slice(0, 2)).toEqual([
        sha1(small),
        sha1(theirs),
      ])
    })

    it('refuses content of another size than declared, and stores nothing', async () => {
      const tooShort = { open: () => Readable.from([small.subarray(1)]) }
      const short = store.files.upload(folderId, { ...contentOf('a.pdf', small), ...tooShort })
      await expect(short).rejects.toThrow(new FilesRefused('wrong_size'))
      const cut = { open: () => Readable.from([large.subarray(1)]) }
      const shortParts = store.files.upload(folderId, { ...contentOf('b.pdf', large), ...cut })
      await expect(shortParts).rejects.toThrow(new FilesRefused('wrong_size'))
      expect(await store.stored(folderId)).toEqual([])
    })

    it('throws the error of a content that cannot be read', async () => {
      async function* broken() {
        yield small
        throw new RangeError('no such bytes')
      }
      for (const bytes of [small, large]) {
        const content = { ...contentOf('a.pdf', bytes), open: () => Readable.from(broken()) }
        await expect(store.files.upload(folderId, content)).rejects.toThrow(RangeError)
      }
      expect(await store.stored(folderId)).toEqual([])
    })
  })
}
