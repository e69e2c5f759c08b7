import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { photoHasAttachment } from '@guidon/contract/document-refusals'
import { startChecker } from '@guidon/tests/files/checker'
import { photo as newPhoto } from '@guidon/tests/files/photo'
import { foundIn, plantedPhotos, shown } from '@guidon/tests/files/planted-photos'
import { afterAll, describe, expect, it } from 'vitest'
import { checkFile } from './check-file.ts'
import { checkers } from './checkers.ts'

const folder = await mkdtemp(join(tmpdir(), 'guidon-photos-'))
afterAll(() => rm(folder, { recursive: true }))

const scanner = { scan: async () => 'clean' as const }
const checker = await startChecker()
afterAll(() => checker.close())

/** The photo as it will be stored. */
async function stored(photo: Buffer): Promise<Buffer> {
  const path = join(folder, 'photo')
  await writeFile(path, photo)
  const verdict = await checkFile(path, { scanner, checkers: checkers([checker.address]) })
  if ('refusal' in verdict) throw new Error(verdict.refusal.code)
  // Absent if the photo has no camera data.
  if (!verdict.clean) return photo
  const { head, ranges } = verdict.clean
  return Buffer.concat([Buffer.from(head), ...ranges.map((range) => photo.subarray(...range))])
}

describe.each(Object.entries(plantedPhotos))('a photo with %s', (_, make) => {
  it('is stored without its camera data, and shown as before', async () => {
    const photo = await make()
    expect(foundIn(photo)).not.toEqual([])
    const clean = await stored(photo)
    expect(foundIn(clean)).toEqual([])
    const [before, after] = [await shown(photo), await shown(clean)]
    expect(after.pixels.equals(before.pixels)).toBe(true)
    expect(after.upright.equals(before.upright)).toBe(true)
    expect([after.width, after.orientation]).toEqual([before.width, before.orientation])
    // EXIF data that has only the orientation is 32 bytes long.
    expect(after.metadata).toBe(after.orientation === 1 ? 0 : 32)
  })
})

it('a photo that would be an archive without its camera data is refused', async () => {
  const whole = await newPhoto().jpeg().toBuffer()
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  // The end marker of the photo is the comment of the archive.
  end.writeUInt16LE(2, 20)
  const archive = Buffer.concat([whole.subarray(0, -2), end, whole.subarray(-2)])
  // Bytes after the end marker are removed with the camera data; only then is the archive's end at the end of the file.
  await expect(stored(Buffer.concat([archive, Buffer.alloc(100)]))).rejects.toThrow(
    photoHasAttachment.code,
  )
})
