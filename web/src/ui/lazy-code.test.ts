import { beforeEach, expect, it, vi } from 'vitest'
import { forgetLoadFailures, lazyCode, LoadFailure } from './lazy-code.ts'

const online = (value: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(value)
const portal = (responds: boolean) =>
  vi.stubGlobal('fetch', async () => {
    if (!responds) throw new TypeError('Failed to fetch')
    return new Response()
  })

beforeEach(() => {
  online(true)
  portal(true)
})

it('fetches the code once, however often it is needed', async () => {
  const load = vi.fn<() => Promise<string>>(async () => 'code')
  const code = lazyCode(load)
  expect(await Promise.all([code(), code()])).toEqual(['code', 'code'])
  expect(load).toHaveBeenCalledTimes(1)
})

it('does not try without a connection, because the browser would remember the failure', async () => {
  online(false)
  portal(false)
  const load = vi.fn<() => Promise<string>>(async () => 'code')
  const code = lazyCode(load)
  await expect(code()).rejects.toEqual(new LoadFailure(true))
  expect(load).not.toHaveBeenCalled()

  online(true)
  portal(true)
  await expect(code()).rejects.toBeInstanceOf(LoadFailure)
  forgetLoadFailures()
  expect(await code()).toBe('code')
})

it('tries when the portal responds although the device says that it is offline', async () => {
  online(false)
  expect(await lazyCode(async () => 'code')()).toBe('code')
})

it.each([
  ['the connection is lost', false, true],
  ['the files are gone after a deploy', true, false],
])('says why the code could not be fetched: %s', async (_, responds, offline) => {
  portal(responds)
  const code = lazyCode(async () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  await expect(code()).rejects.toMatchObject({ name: 'LoadFailure', offline })
})
