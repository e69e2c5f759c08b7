import { expect, it } from 'vitest'
import type { Config } from './config/config.ts'
import { boxShare } from './open-files.ts'

const config = (viewing: 'on' | 'off') =>
  ({ BOX_SHARE: 2, BOX_VIEWERS: 4, DOCUMENT_VIEWING: viewing }) as Config

it('workers share all calls and uploads while files cannot be viewed', () => {
  expect(boxShare(config('off'), 'worker')).toEqual({ callsPerMinute: 500, uploadsPerMinute: 120 })
})

it('APIs that show files share a fifth of the calls, and workers keep the uploads', () => {
  expect(boxShare(config('on'), 'worker')).toEqual({ callsPerMinute: 400, uploadsPerMinute: 120 })
  expect(boxShare(config('on'), 'api')).toEqual({ callsPerMinute: 50 })
})
