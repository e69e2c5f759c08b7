import '@testing-library/jest-dom/vitest'
import { BRAND_ELEMENT, type PageBrand } from '@guidon/contract/brand'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { ThemedDialog } from './ui/Dialog.tsx'

const brand: PageBrand = {
  name: 'Guidon',
  phone: '1-800-555-0142',
  informationEmail: 'info@guidon.example',
  termsUrl: 'https://www.guidon.example/terms',
  privacyUrl: 'https://www.guidon.example/privacy',
  crmRecordUrl: 'https://crm.example/{id}',
  boxUrl: 'https://box.example',
  legal: {
    notice: {
      version: '1',
      text: 'Guidon is not part of VA.',
      link: { label: 'Find free help', url: 'https://help.example' },
    },
    states: {
      Utah: {
        notice: {
          version: '1',
          text: 'In Utah, the state helps, too.',
          link: { label: 'Help in Utah', url: 'https://veterans.utah.example' },
        },
      },
      Ohio: { notice: { version: '1', text: 'In Ohio, this must be accepted.', mustAccept: true } },
      Maine: { noSignUp: 'We do not offer this in Maine.' },
    },
    consents: [
      {
        kind: 'terms',
        version: '1',
        title: 'Terms of Service',
        text: 'I accept the Terms of Service.',
        url: 'https://www.guidon.example/terms',
        optional: false,
      },
      {
        kind: 'privacy',
        version: '1',
        title: 'Privacy Policy',
        text: 'I have read the Privacy Policy.',
        url: 'https://www.guidon.example/privacy',
        optional: false,
      },
    ],
  },
}

// This limit only ends a test that waits in vain: the code of a screen loads when it is first shown, and the machine
// may be busy.
configure({ asyncUtilTimeout: 30_000 })

const block = document.createElement('script')
block.type = 'application/json'
block.id = BRAND_ELEMENT
block.textContent = JSON.stringify(brand)
document.head.append(block)

// jsdom has none, because it has no layout. No media query matches.
window.matchMedia = (media) =>
  ({
    media,
    matches: false,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }) as unknown as MediaQueryList

// Dialogs open at once, as after their code was loaded.
await ThemedDialog.load()

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  // Here, because the next file may read the time zone before its first test.
  vi.unstubAllEnvs()
})
// All files of a worker share its clock.
afterAll(() => void vi.useRealTimers())
