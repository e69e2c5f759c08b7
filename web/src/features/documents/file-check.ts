import {
  DOCUMENT_MAX_BYTES,
  fileTooLarge,
  fileUnreadable,
  wrongFileType,
} from '@guidon/contract/document-refusals'

export const ACCEPTED = {
  'application/pdf': ['.pdf'],
  'image/jpeg': ['.jpg', '.jpeg'],
}

/** For a file chooser. */
export const ACCEPT = Object.entries(ACCEPTED).flat(2).join(',')

const PDF = [...new TextEncoder().encode('%PDF-')]
const JPEG = [0xff, 0xd8, 0xff]

/** Why the server would refuse a file, as far as the browser can check; undefined if it may be sent. */
export async function refusalOf(file: File): Promise<string | undefined> {
  if (!hasAcceptedName(file)) return wrongFileType.message
  if (file.size > DOCUMENT_MAX_BYTES) return fileTooLarge.message
  try {
    const first = new Uint8Array(await file.slice(0, PDF.length).arrayBuffer())
    return startsWith(first, PDF) || startsWith(first, JPEG) ? undefined : wrongFileType.message
  } catch {
    // The file was moved or deleted after it was chosen.
    return fileUnreadable.message
  }
}

/** By type or extension: phones give a type without an extension, other systems the reverse. */
function hasAcceptedName({ name, type }: File): boolean {
  const ending = /\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? ''
  return type in ACCEPTED || Object.values(ACCEPTED).flat().includes(ending)
}

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte)
