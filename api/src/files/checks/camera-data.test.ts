import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { foundIn, plantedPhotos, shown } from '../../../test/files/planted-photos.ts'
import { checkFile } from './check-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'guidon-photos-'))
afterAll(() => rm(folder, { recursive: true }))

const scanner = { scan: async () => 'clean' as const }

/** The photo as it will be stored. */
async function stored(photo: Buffer): Promise<Buffer> {
  const path = join(folder, 'photo')
  await writeFile(path, photo)
  const verdict = await checkFile(path, { scanner })
  if ('refusal' in verdict) throw new Error(verdict.refusal.code)
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
    expect(after.metadata).toBe(after.orientation === 1 ? 0 : 32)
  })
})
