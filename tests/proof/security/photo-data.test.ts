import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { cleanPhoto } from '../../../web/src/features/documents/photos/clean-photo.ts'
import { readJpegInfo } from '../../../web/src/features/documents/photos/jpeg-info.ts'
import { photosPdf } from '../../../web/src/features/documents/photos/photos-pdf.ts'
import { bootWithDocuments, hashOf, send, WAIT_OPTIONS } from '../../support/documents.ts'
import { foundIn, plantedPhotos, shown } from '../../support/files/planted-photos.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const { testApp, box, veteran } = await bootWithDocuments()
const folder = await mkdtemp(join(tmpdir(), 'guidon-photo-data-'))
afterAll(() => rm(folder, { recursive: true }))

/** A small run has a few kinds; camera-data.test.ts checks the others. */
const kinds = Object.entries(plantedPhotos).slice(0, smallOrFull(6, Infinity))
const photos = await Promise.all(kinds.map(async ([name, make]) => ({ name, bytes: await make() })))
const fileName = (name: string) => `${name.replaceAll(/[^\w]+/g, ' ')}.jpg`
const inBrowser = async ({ name, bytes }: { name: string; bytes: Buffer }) => {
  const photo = new File([new Uint8Array(bytes)], fileName(name), { type: 'image/jpeg' })
  const clean = await cleanPhoto(photo)
  if (!clean) throw new Error(`not cleaned: ${name}`)
  return clean
}
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

/** Uploads the files. Returns what is stored: decrypted from the chunks while Box is down, and then in Box. */
async function storedFiles(files: { name: string; bytes: Buffer }[]) {
  const { client, email } = await veteran()
  await box.fault({ mode: '503' })
  const hashes = new Map<string, string | null>()
  for (const file of files) {
    const { status, body } = await send(client, file)
    expect([file.name, status]).toEqual([file.name, 201])
    hashes.set(body.name, body.sha256)
    const again = await send(client, file)
    expect([again.status, again.body.id]).toEqual([200, body.id])
  }
  const target = join(folder, email)
  await testApp.admin.records.export(email, target)
  const { filesStillHere } = JSON.parse(await readFile(join(target, 'record.json'), 'utf8')) as {
    filesStillHere: string[]
  }
  const chunks = await Promise.all(filesStillHere.map((name) => readFile(join(target, name))))
  await box.fault({ mode: 'none' })
  await testApp.admin.files.sendAgain()
  await expect
    .poll(async () => (await testApp.admin.files.status()).waiting, {
      ...WAIT_OPTIONS,
      timeout: 100_000,
    })
    .toBe(0)
  const listed = (await box.files()).filter(({ name }) => hashes.has(name))
  const inBox = new Map<string, Buffer>()
  for (const { id, name } of listed) inBox.set(name, await box.bytes(id))
  for (const [name, bytes] of inBox) expect(hashOf(bytes)).toBe(hashes.get(name))
  expect([chunks.length, inBox.size]).toEqual([files.length, files.length])
  return { chunks, inBox }
}

it('photos that the browser did not clean are stored without camera data, and are shown as before', async () => {
  const given = photos.map(({ name, bytes }) => ({ name: fileName(name), bytes }))
  const { chunks, inBox } = await storedFiles(given)
  const leaks = [...chunks, ...inBox.values()].flatMap(foundIn)
  const different: string[] = []
  for (const photo of photos) {
    const stored = inBox.get(fileName(photo.name))!
    const [before, after] = [await shown(photo.bytes), await shown(stored)]
    const isSame = after.pixels.equals(before.pixels) && after.upright.equals(before.upright)
    if (!isSame || after.orientation !== before.orientation) different.push(photo.name)
    // Browser and server follow the same rules.
    if (!(await bytesOf(await inBrowser(photo))).equals(stored)) different.push(photo.name)
  }
  const planted = photos.flatMap(({ bytes }) => foundIn(bytes)).length
  figures('photos', {
    photos: photos.length,
    planted,
    leaks: leaks.length,
    different: different.length,
  })
  headline.sum({
    photos: photos.length,
    'planted values': planted,
    leaks: leaks.length,
    different: different.length,
  })
  expect(planted).toBeGreaterThanOrEqual(photos.length)
  expect({ leaks, different }).toEqual({ leaks: [], different: [] })
})

it('photos that are joined into a PDF have no camera data', async () => {
  const pages = await Promise.all(
    photos.map(async (given) => {
      const photo = await inBrowser(given)
      return { photo, info: await readJpegInfo(photo), turn: 0 as const }
    }),
  )
  const files = await Promise.all([
    ...pages.slice(0, smallOrFull(2, pages.length)).map(async (page, at) => ({
      name: `page ${at}.pdf`,
      bytes: await bytesOf(photosPdf([page])),
    })),
    bytesOf(photosPdf(pages)).then((bytes) => ({ name: 'all.pdf', bytes })),
  ])
  const { chunks, inBox } = await storedFiles(files)
  const leaks = [...chunks, ...inBox.values()].flatMap(foundIn)
  figures('joined PDFs', { files: files.length, pages: pages.length, leaks: leaks.length })
  headline.sum({ leaks: leaks.length })
  expect(leaks).toEqual([])
})
