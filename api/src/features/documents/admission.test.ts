import { noSpaceForUploads } from '@guidon/contract/document-refusals'
import { expect, it } from 'vitest'
import { admission } from './admission.ts'

it('a full disk refuses files, but not parts of an upload, which are not written to it', async () => {
  const { admit } = admission({
    checkQuota: async () => {},
    freeBytes: async () => 0,
    log: { warn: () => {} },
  })
  await expect(admit('a', { bytes: 1, isNew: true })).rejects.toThrow(noSpaceForUploads.code)
  const part = await admit('a', { bytes: 0, isNew: false })
  part.release()
})
