import { expect, it } from 'vitest'
import { maintenancePage } from './maintenance-page.ts'

/** HAProxy's buffer has 16,384 bytes by default, and must also hold the headers. */
const SIZE_MAX = 15_000

it('the maintenance page has the name and the phone number of the provider, and the crisis line', () => {
  const page = maintenancePage({ name: 'Smith & <Sons> $&', phone: '1-800-555-0142' })
  expect(page).toContain('<p class="name">Smith &#38; &#60;Sons&#62; $&#38;</p>')
  expect(page).toContain('call <a href="tel:+18005550142">1-800-555-0142</a>.')
  expect(page).toContain('<a href="tel:988">dial 988, then press 1</a>')
  expect(page).not.toContain('guidon:')
  expect(Buffer.byteLength(page)).toBeLessThan(SIZE_MAX)
})
