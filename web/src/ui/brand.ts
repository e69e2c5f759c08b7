import { BRAND_ELEMENT, type PageBrand } from '@guidon/contract/brand'

/** The server writes the checked brand into the page, so no request is needed. */
export const brand = JSON.parse(
  document.getElementById(BRAND_ELEMENT)?.textContent ?? '{}',
) as PageBrand
