import type { Brand } from './brand-folder.ts'

export type { Brand }

/** What pages receive: the brand without its email sender, and the settings that screens depend on. */
export type PageBrand = Omit<Brand, 'emailSender'> & { documentViewing?: boolean }

export function pageBrand(brand: Brand): PageBrand {
  const page: PageBrand & Partial<Brand> = { ...brand }
  delete page.emailSender
  return page
}

/** Files of the brand folder that are served under `/brand/`. */
export const BRAND_FILES = ['logo.svg', 'logo-dark.svg', 'icon.svg'] as const

/** Id of the page's JSON element that contains the brand. */
export const BRAND_ELEMENT = 'guidon-brand'

export function telHref(phone: string): string {
  return `tel:+${phone.replace(/\D/g, '').replace(/^(?=\d{10}$)/, '1')}`
}
