import { extname } from 'node:path'
import { safeName, withEnding } from '../../../files/checks/safe-name.ts'
import type { Kind } from './open-file.ts'

const TYPES: Record<Kind, string> = {
  jpeg: 'image/jpeg',
  pdf: 'application/pdf',
  other: 'application/octet-stream',
}
const EXTENSIONS: Record<Kind, readonly string[]> = {
  jpeg: ['.jpg', '.jpeg'],
  pdf: ['.pdf'],
  other: [],
}

export interface ContentFacts {
  name: string
  kind: Kind
  size: number | undefined
  as: 'view' | 'download'
}

/**
 * Only a photo is shown by the browser: a PDF can contain scripts, and browsers do not show one in a sandbox. If the
 * address is opened in a tab, the sandbox takes the document out of the portal's origin.
 */
export function contentHeaders({ name, kind, size, as }: ContentFacts): Record<string, string> {
  const disposition = kind === 'jpeg' && as === 'view' ? 'inline' : 'attachment'
  return {
    'content-type': TYPES[kind],
    ...(size !== undefined && { 'content-length': String(size) }),
    'content-disposition': `${disposition}; ${fileNames(withExtension(name, kind))}`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'accept-ranges': 'none',
  }
}

/** Files from the CRM may have a name without an extension, which a computer could not open. */
function withExtension(name: string, kind: Kind): string {
  const safe = safeName(name)
  const [usual, ...others] = EXTENSIONS[kind]
  if (!usual || [usual, ...others].includes(extname(safe).toLowerCase())) return safe
  return withEnding(safe, usual)
}

/** As in RFC 6266: a name in ASCII for old clients, and the whole name in UTF-8. */
function fileNames(name: string): string {
  const ascii = name.replaceAll(/[^\u0020-\u007e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`
}
