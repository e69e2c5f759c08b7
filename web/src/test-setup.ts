import '@testing-library/jest-dom/vitest'
import { BRAND_ELEMENT, type PageBrand } from '@guidon/contract/brand'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

const brand: PageBrand = {
  name: 'Guidon',
  phone: '1-800-555-0142',
  informationEmail: 'info@guidon.example',
  termsUrl: 'https://www.guidon.example/terms',
  termsVersion: '2026-01-01',
  privacyUrl: 'https://www.guidon.example/privacy',
  crmRecordUrl: 'https://crm.example/{id}',
  boxUrl: 'https://box.example',
}

// The code of a screen loads when it is first shown. That takes longer than a second on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

const block = document.createElement('script')
block.type = 'application/json'
block.id = BRAND_ELEMENT
block.textContent = JSON.stringify(brand)
document.head.append(block)

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  // Not only before the next test: the next file may read the time zone before its first one.
  vi.unstubAllEnvs()
})
