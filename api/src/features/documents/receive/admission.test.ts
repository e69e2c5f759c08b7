import { noSpaceForUploads, wrongFileType } from '@guidon/contract/document-refusals'
import { tooManyUploads } from '@guidon/contract/documents'
import { expect, it } from 'vitest'
import { refuse } from '../../../http/refuse.ts'
import { admission } from './admission.ts'

const [a, b] = [{ userId: 'a' }, { userId: 'b' }]

it('a full disk refuses files, but not parts of an upload, which are not written to it', async () => {
  const { admit } = admission({
    checkQuota: async () => {},
    freeBytes: async () => 0,
    log: { warn: () => {} },
  })
  await expect(admit(a, { bytes: 1, isNew: true })).rejects.toThrow(noSpaceForUploads.code)
  const part = await admit(a, { bytes: 0, isNew: false })
  await part.release()
})

it('after a refused file whose response is delayed, the place of the account stays taken, but not that of the process', async () => {
  const { admit } = admission({
    checkQuota: async () => {},
    freeBytes: async () => Infinity,
    log: { warn: () => {} },
    maxConcurrent: 2,
  })
  const upload = { bytes: 1, isNew: true }
  for (let n = 0; n < 3; n += 1) {
    const quick = await admit(a, upload)
    await quick.release(refuse(wrongFileType))
  }
  const refused = await admit(a, upload)
  let isReleased = false
  const released = refused.release(refuse(wrongFileType)).then(() => (isReleased = true))
  const other = await admit(b, upload)
  await admit(a, upload)
  await other.release()
  await admit(a, upload)
  expect(isReleased).toBe(false)
  await expect(admit(a, upload)).rejects.toThrow(tooManyUploads.code)
  await released
})
