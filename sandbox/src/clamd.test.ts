import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startClamd } from './clamd.ts'
import { UserError } from './user-error.ts'

it('a clamd that is not installed ends in a plain message', async () => {
  const start = startClamd([], ['/nonexistent'])
  await expect(start).rejects.toBeInstanceOf(UserError)
  await expect(start).rejects.toThrow(/clamd did not start \(spawn clamd ENOENT\)\. .*clamav/)
})

it('a clamd with an invalid setting ends in a plain message', async () => {
  await expect(startClamd(['NoSuchSetting yes'])).rejects.toThrow(
    /clamd did not start \(exit code \d+\)/,
  )
})

it('a clamd listens at its address until it is closed', async () => {
  const clamd = await startClamd()
  expect(existsSync(clamd.address)).toBe(true)
  await clamd.close()
  expect(existsSync(clamd.address)).toBe(false)
})
