import { BRAND_ELEMENT, type PageBrand } from '@guidon/contract/brand'

/** Written into the page by the server, which has checked it: no request, no wait. */
export const brand = JSON.parse(
  document.getElementById(BRAND_ELEMENT)?.textContent ?? '{}',
) as PageBrand
