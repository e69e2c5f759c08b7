import { documentExists, replaceDocument } from '@guidon/contract/documents'
import { bootWithDocuments, hashOf, send } from '@guidon/tests/documents'
import { foundIn, plantedPhotos, shown } from '@guidon/tests/files/planted-photos'
import { expect, it } from 'vitest'

const { testApp, box, boxFile, veteran } = await bootWithDocuments()

const photoWith = (name: string) => Promise.resolve(plantedPhotos[name]!())
const bytesInBox = async (name: string) => box.bytes((await boxFile(name)).id)

it('a photo is stored without its camera data, and the response describes the stored file', async () => {
  const { client, userId } = await veteran()
  const bytes = await photoWith('a second picture, as in MPF')
  const { status, body } = await send(client, { name: 'mpf.jpg', bytes })
  expect(status).toBe(201)
  const stored = await bytesInBox('mpf.jpg')
  expect(foundIn(stored)).toEqual([])
  expect((await shown(stored)).pixels.equals((await shown(bytes)).pixels)).toBe(true)
  expect(body).toMatchObject({ sha256: hashOf(stored), size: stored.length })
  const { rows } = await testApp.sql.query(
    `select encode(received_sha256, 'hex') as received from documents where user_id = $1`,
    [userId],
  )
  expect(rows).toEqual([{ received: hashOf(bytes) }])
})

it('a photo that is sent again after a lost response is the same document', async () => {
  const { client } = await veteran()
  const file = { name: 'again.jpg', bytes: await photoWith('an appended video') }
  const [first, again] = [await send(client, file), await send(client, file)]
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.body.id).toBe(first.body.id)
  // The stored file is another one than the received file, but has the same name.
  const clean = await bytesInBox('again.jpg')
  expect(await send(client, { ...file, bytes: clean })).toMatchObject({
    status: documentExists.status,
  })
})

it('a photo that replaces a file is stored without its camera data', async () => {
  const { client } = await veteran()
  const { body: document } = await send(client)
  const bytes = await photoWith('EXIF with the orientation 6')
  const replaced = await client.upload(
    replaceDocument,
    { name: 'photo.jpg', bytes },
    { params: { id: document.id } },
  )
  const stored = await bytesInBox(replaced.body.name)
  expect(foundIn(stored)).toEqual([])
  expect((await shown(stored)).orientation).toBe(6)
  expect(replaced.body.sha256).toBe(hashOf(stored))
})
