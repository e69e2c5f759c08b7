import { fileUnreadable, photoHasAttachment } from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import sharp from 'sharp'
import { scansOf } from './jpeg-scans.ts'
import type { FileFlag } from './judgement.ts'
import { hasAttachment } from './programs.ts'

/** A legal page at 1200 dots an inch, or the largest picture of today's phones. */
const MOST_PIXELS = 200_000_000
/** All of a progressive one is in memory at once, six bytes to a pixel. */
const MOST_PROGRESSIVE_PIXELS = 50_000_000
/** Each one goes through the whole picture again; encoders write about ten. */
const MOST_SCANS = 100
/** Decoding is shortened to an eighth of each side: every code is read all the same. */
const SIDE = 32

sharp.cache(false)
// The limit of CPU counts all threads, and other uploads are checked meanwhile.
sharp.concurrency(1)

/** The refusal, or what to know of a picture that decodes as a whole. */
export async function checkJpeg(bytes: Buffer): Promise<Refusal | FileFlag[]> {
  const { scans, end } = scansOf(bytes, MOST_SCANS)
  if (scans > MOST_SCANS) return fileUnreadable
  if (hasAttachment(bytes, end)) return photoHasAttachment
  return (await isWhole(bytes)) ? [] : fileUnreadable
}

async function isWhole(bytes: Buffer): Promise<boolean> {
  const open = (failOn: 'error' | 'warning') =>
    sharp(bytes, { failOn, limitInputPixels: MOST_PIXELS, sequentialRead: true, pages: 1 })
  try {
    const { format, width, height, isProgressive } = await open('error').metadata()
    if (format !== 'jpeg') return false
    if (isProgressive && width * height > MOST_PROGRESSIVE_PIXELS) return false
    await open('warning').resize(SIDE, SIDE, { fit: 'fill' }).raw().toBuffer()
    return true
  } catch (error) {
    return isHarmless(error instanceof Error ? error.message : '')
  }
}

/** Some phones write a few bytes too many between the picture and its end mark. */
function isHarmless(message: string): boolean {
  const complaints = message.split('\n').filter((line) => line.trim() !== '')
  return (
    complaints.length > 0 && complaints.every((line) => /\d+ extraneous bytes before/.test(line))
  )
}
