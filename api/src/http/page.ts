import { randomBytes } from 'node:crypto'
import { BRAND_ELEMENT, pageBrand } from '@guidon/contract/brand'
import type { Brand } from '@guidon/contract/brand'

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The page with the brand written in; what is left to do for a request is its nonce. */
export function pageOf(template: string, brand: Brand): (nonce: string) => string {
  const data = JSON.stringify(pageBrand.parse(brand)).replaceAll('<', '\\u003c')
  const page = template
    .replace(
      '<!--guidon:brand-->',
      () => `<script type="application/json" id="${BRAND_ELEMENT}">${data}</script>`,
    )
    .replaceAll('__BRAND_NAME__', () => escapeHtml(brand.name))
    .replaceAll('__BRAND_PHONE__', () => escapeHtml(brand.phone))
  return (nonce) => page.replaceAll('__CSP_NONCE__', nonce)
}

export const newNonce = () => randomBytes(16).toString('base64')

/** Scripts only from our own files; styles from them and from the elements that bear the nonce. */
export function pagePolicy(nonce: string, apiHost: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${apiHost ? ` ${apiHost}` : ''}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
