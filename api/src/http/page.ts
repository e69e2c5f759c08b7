import { randomBytes } from 'node:crypto'
import { BRAND_ELEMENT, pageBrand, telHref } from '@guidon/contract/brand'
import type { Brand, PageBrand } from '@guidon/contract/brand'
import { CRISIS_HTML } from '@guidon/contract/trust'

export type PageSettings = Pick<PageBrand, 'documentViewing'>

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Inserts the brand once; each request only adds its nonce. */
export function pageOf(
  template: string,
  brand: Brand,
  settings: PageSettings,
): (nonce: string) => string {
  const data = JSON.stringify({ ...pageBrand(brand), ...settings }).replaceAll('<', '\\u003c')
  const page = template
    .replace(
      '<!--guidon:brand-->',
      () => `<script type="application/json" id="${BRAND_ELEMENT}">${data}</script>`,
    )
    .replaceAll('__BRAND_NAME__', () => escapeHtml(brand.name))
    .replaceAll('__BRAND_PHONE__', () => escapeHtml(brand.phone))
    .replaceAll('__BRAND_TEL__', telHref(brand.phone))
    .replaceAll('__CRISIS_LINE__', CRISIS_HTML)
  return (nonce) => page.replaceAll('__CSP_NONCE__', nonce)
}

export const newNonce = () => randomBytes(16).toString('base64')

/** Allows scripts from our own files only, and styles from them and from elements with the nonce. */
export function pagePolicy(nonce: string, apiHost: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // No text becomes HTML or the address of a script.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    `img-src 'self' data: blob:${apiHost ? ` ${apiHost}` : ''}`,
    `connect-src 'self'${apiHost ? ` ${apiHost}` : ''}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
