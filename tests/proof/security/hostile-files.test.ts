import * as refusals from '@guidon/contract/document-refusals'
import { documentExists, getDocuments, tooManyUploads } from '@guidon/contract/documents'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { concurrently } from '../../support/concurrency.ts'
import { newName, newPdf, send } from '../../support/documents.ts'
import * as hostile from '../../support/files/hostile-files.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const { account, withSession, stopWorkers } = await boot({ environment: NO_UPLOAD_QUOTA })
await stopWorkers()

const PER_KIND = smallOrFull(1, Infinity)
const ROUNDS = smallOrFull(2, 100)
const CONCURRENT_UPLOADS = 20

const kinds = [
  [hostile.ofWrongType, refusals.wrongFileType],
  [hostile.unreadable, refusals.fileUnreadable],
  [hostile.passwordProtected, refusals.fileProtected],
  [hostile.infected, refusals.fileInfected],
  [hostile.pdfsWithPrograms, refusals.fileHasProgram],
  [hostile.photosWithHiddenContent, refusals.photoHasAttachment],
] as const
const FILES_MIN = smallOrFull(kinds.length, 60)

it('no hostile file is accepted, and each is refused for its reason', async () => {
  const wrong: string[] = []
  const accepted: string[] = []
  let files = 0
  for (const [makers, { code }] of kinds) {
    for (const [title, make] of Object.entries(makers).slice(0, PER_KIND)) {
      // A new account, because the API delays the responses to one with many refused files.
      const client = await withSession(await account())
      const { body } = await send(client, { name: newName(), bytes: await make() })
      files += 1
      if (body.code !== code) wrong.push(`${title}: ${body.code}`)
      const { body: documents } = await client.call(getDocuments, {})
      if (documents.length > 0) accepted.push(title)
    }
  }
  figures('hostile files', { files, accepted: accepted.length, 'wrong reason': wrong.length })
  headline.sum({ files, accepted: accepted.length, 'wrong reason': wrong.length })
  expect(files).toBeGreaterThanOrEqual(FILES_MIN)
  expect(wrong).toEqual([])
  expect(accepted).toEqual([])
})

it('of concurrent uploads with the same name, one is accepted', async () => {
  const client = await withSession(await account())
  let wrongRounds = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = newName()
    const responses = await concurrently(CONCURRENT_UPLOADS, () =>
      send(client, { name, bytes: newPdf() }),
    )
    const accepted = responses.filter(({ status }) => status === 201)
    // More than three at a time are refused before they are received.
    const refused = responses.filter(({ body }) =>
      [documentExists.code, tooManyUploads.code].includes(body.code),
    )
    if (accepted.length !== 1 || refused.length !== CONCURRENT_UPLOADS - 1) wrongRounds += 1
  }
  const { body: documents } = await client.call(getDocuments, {})
  figures('uploads with the same name', {
    rounds: ROUNDS,
    'at once': CONCURRENT_UPLOADS,
    accepted: documents.length,
    'wrong rounds': wrongRounds,
  })
  headline.sum({ 'names stored twice or not at all': wrongRounds })
  expect(wrongRounds).toBe(0)
  expect(documents).toHaveLength(ROUNDS)
})
