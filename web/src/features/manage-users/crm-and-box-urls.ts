import { brand } from '../../ui/brand.ts'

export const crmUrl = (salesforceId: string): string =>
  brand.crmRecordUrl.replace('{id}', encodeURIComponent(salesforceId))

/** Undefined if the brand has no link to Box, or if Box does not have the file yet. */
export function boxUrl(kind: 'folder' | 'file', id: string | null): string | undefined {
  if (!brand.boxUrl || !id || !/^\d+$/.test(id)) return undefined
  return new URL(`${kind}/${id}`, brand.boxUrl.replace(/\/*$/, '/')).href
}
