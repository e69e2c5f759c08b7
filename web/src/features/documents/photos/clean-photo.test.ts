import { expect, it, vi } from 'vitest'
import { cleanPhoto } from './clean-photo.ts'
import { photoWithOrientation, sampleBytes } from './sample-photos.ts'

const MB = 1024 * 1024
const text = (value: string) => new TextEncoder().encode(value)
const fileOf = (...parts: BlobPart[]) =>
  new File(parts, 'photo.jpg', { type: 'image/jpeg', lastModified: 7 })
const bytesOf = async (file: File | undefined) => new Uint8Array(await file!.arrayBuffer())

it('removes what says where a photo was taken, and keeps its orientation, name, type and time', async () => {
  const comment = [0xff, 0xfe, 0, 13, ...text('PLANTED-GPS')]
  const [start, rest] = [photoWithOrientation(6).slice(0, 2), photoWithOrientation(6).slice(2)]
  const photo = fileOf(start, new Uint8Array(comment), rest, text('PLANTED-GPS of a video'))
  const clean = await cleanPhoto(photo)
  expect(await bytesOf(clean)).toEqual(photoWithOrientation(6))
  expect(clean).toMatchObject({ name: 'photo.jpg', type: 'image/jpeg', lastModified: 7 })
})

it('returns a clean photo as it is', async () => {
  const photo = fileOf(sampleBytes('progressive'))
  expect(await cleanPhoto(photo)).toBe(photo)
})

it('returns nothing for a file that is not a photo or is broken', async () => {
  expect(await cleanPhoto(fileOf('%PDF-1.7'))).toBeUndefined()
  expect(await cleanPhoto(fileOf(sampleBytes('colour').slice(0, 60)))).toBeUndefined()
  expect(await cleanPhoto(fileOf(sampleBytes('colour').slice(0, -2)))).toBeUndefined()
})

it('does not read a video that is appended to a photo', async () => {
  const photo = fileOf(sampleBytes('colour'), new Uint8Array(20 * MB))
  const slice = vi.spyOn(photo, 'slice')
  expect((await cleanPhoto(photo))!.size).toBe(sampleBytes('colour').length)
  const lengths = slice.mock.calls.map(([from, to]) => to! - from!)
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(MB)
})
