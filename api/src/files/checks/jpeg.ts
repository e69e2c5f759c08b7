import { cannotCheckFiles, fileUnreadable } from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import sharp from 'sharp'

/** A legal page at 1200 dots an inch, or the largest picture of today's phones. */
const MOST_PIXELS = 200_000_000
/** All of a progressive one is in memory at once, six bytes to a pixel. */
const MOST_PROGRESSIVE_PIXELS = 50_000_000
const LONGEST_SECONDS = 25
/** Decoding is shortened to an eighth of each side: every code is read all the same. */
const SIDE = 32

// One file is looked at once: what would be kept of it is only memory.
sharp.cache(false)

/** The refusal, or nothing where the whole picture decodes. */
export async function checkJpeg(path: string): Promise<Refusal | undefined> {
  try {
    const open = (failOn: 'error' | 'warning') =>
      sharp(path, { failOn, limitInputPixels: MOST_PIXELS, sequentialRead: true, pages: 1 })
    const { format, width, height, isProgressive } = await open('error').metadata()
    if (format !== 'jpeg') return fileUnreadable
    if (isProgressive && width * height > MOST_PROGRESSIVE_PIXELS) return fileUnreadable
    await open('warning')
      .resize(SIDE, SIDE, { fit: 'fill' })
      .timeout({ seconds: LONGEST_SECONDS })
      .raw()
      .toBuffer()
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (message.startsWith('timeout')) return cannotCheckFiles
    return isHarmless(message) ? undefined : fileUnreadable
  }
}

/** Some phones write a few bytes too many between the picture and its end mark. */
function isHarmless(message: string): boolean {
  const complaints = message.split('\n').filter((line) => line.trim() !== '')
  return (
    complaints.length > 0 && complaints.every((line) => /\d+ extraneous bytes before/.test(line))
  )
}
