import { DOCUMENT_MAX_BYTES, fileTooLarge } from '@guidon/contract/document-refusals'
import { useState } from 'react'
import { cleanPhoto } from './clean-photo.ts'
import { readJpegInfo, UnusablePhoto, type JpegInfo } from './jpeg-info.ts'
import { pdfName } from './photo-pages.ts'
import { photosPdf, type Turn } from './photos-pdf.ts'

export interface ChosenPhoto {
  key: string
  file: File
  info: JpegInfo
  turn: Turn
}

/** The photos for one PDF, in the order of its pages. */
export function usePhotoPages() {
  const [pages, setPages] = useState<ChosenPhoto[]>([])
  const [errors, setErrors] = useState<string[]>([])

  async function add(files: readonly File[]): Promise<void> {
    const results = await Promise.all(files.map(pageOf))
    setErrors(results.filter((result) => typeof result === 'string'))
    setPages((earlier) => [...earlier, ...results.filter((result) => typeof result !== 'string')])
  }

  /** Undefined, with an error message, if the file would be too large. */
  function join(name: string): File | undefined {
    const pdf = photosPdf(pages.map(({ file, ...page }) => ({ ...page, photo: file })))
    if (pdf.size > DOCUMENT_MAX_BYTES) {
      setErrors([fileTooLarge.message])
      return undefined
    }
    return new File([pdf], pdfName(name), { type: pdf.type })
  }

  return { pages, setPages, errors, add, join }
}

async function pageOf(given: File): Promise<ChosenPhoto | string> {
  try {
    const file = await cleanPhoto(given)
    // The server removes no camera data from the photos in a PDF, so only a cleaned photo may become a page.
    if (!file) throw new UnusablePhoto()
    return { key: crypto.randomUUID(), file, info: await readJpegInfo(file), turn: 0 }
  } catch (error) {
    const reason = error instanceof UnusablePhoto ? error : new UnusablePhoto()
    return `${given.name}: ${reason.message}`
  }
}
