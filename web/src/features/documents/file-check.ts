import {
  DOCUMENT_MAX_BYTES,
  fileTooLarge,
  fileUnreadable,
  wrongFileType,
} from '@guidon/contract/document-refusals'

export const ACCEPTED_TYPES = {
  'application/pdf': ['.pdf'],
  'image/jpeg': ['.jpg', '.jpeg'],
}

/** For a file chooser. */
export const FILE_INPUT_ACCEPT = Object.entries(ACCEPTED_TYPES).flat(2).join(',')

const PDF = [...new TextEncoder().encode('%PDF-')]
const JPEG = [0xff, 0xd8, 0xff]

/** Checks what the browser can check. Returns the reason for a refusal, or undefined if the file may be sent. */
export async function refusalMessage(file: File): Promise<string | undefined> {
  if (!hasAcceptedType(file)) return wrongFileType.message
  if (file.size > DOCUMENT_MAX_BYTES) return fileTooLarge.message
  try {
    const first = new Uint8Array(await file.slice(0, PDF.length).arrayBuffer())
    return startsWith(first, PDF) || startsWith(first, JPEG) ? undefined : wrongFileType.message
  } catch {
    // The file was moved or deleted after it was chosen.
    return fileUnreadable.message
  }
}

/** Accepts a known type or extension: phones give a type without an extension, other systems the reverse. */
function hasAcceptedType({ name, type }: File): boolean {
  const ending = /\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? ''
  return type in ACCEPTED_TYPES || Object.values(ACCEPTED_TYPES).flat().includes(ending)
}

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte)
