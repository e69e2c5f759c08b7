import { cleanJpeg } from '@guidon/contract/clean-jpeg'
import type { CleanJpeg } from '@guidon/contract/clean-jpeg'
import { fileUnreadable, photoHasAttachment } from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import sharp from 'sharp'
import type { Accepted } from '../protocol.ts'
import { readScans } from './jpeg-scans.ts'
import { hasAttachment } from './programs.ts'
import { endsAsZip } from './zip-end.ts'

/** A legal page at 1200 dpi, or the largest picture of current phones. */
const MAX_PIXELS = 200_000_000
/** A progressive picture is decoded in memory as a whole, with six bytes for a pixel. */
const MAX_PROGRESSIVE_PIXELS = 50_000_000
/** Each scan decodes the whole picture again; encoders write about ten. */
const MAX_SCANS = 100
/** A small output makes decoding cheaper, while all compressed data is still read. */
const OUTPUT_SIDE_PIXELS = 32

sharp.cache(false)
// The CPU limit counts all threads, and other uploads are checked at the same time.
sharp.concurrency(1)

/** Checks the photo as it will be stored: without its camera data. */
export async function checkJpeg(bytes: Buffer): Promise<Refusal | Accepted> {
  const { scans, end } = readScans(bytes, MAX_SCANS)
  if (scans > MAX_SCANS) return fileUnreadable
  if (hasAttachment(bytes, end)) return photoHasAttachment
  const clean = cleanOf(bytes)
  if (!clean) return fileUnreadable
  const { head, ranges, changed } = clean
  const parts = ranges.map(([from, to]) => bytes.subarray(from, to))
  const stored = changed ? Buffer.concat([head, ...parts]) : bytes
  // Checked again: without the removed parts, the photo may now end with the table of contents of an archive.
  if (endsAsZip(stored)) return photoHasAttachment
  if (!(await isWhole(stored))) return fileUnreadable
  return { flags: [], ...(changed && { clean: { head: [...head], ranges } }) }
}

function cleanOf(bytes: Buffer): CleanJpeg | undefined {
  const parser = cleanJpeg(bytes.length)
  let step = parser.next()
  while (!step.done) step = parser.next(bytes.subarray(step.value.start, step.value.end))
  return step.value
}

async function isWhole(bytes: Buffer): Promise<boolean> {
  const open = (failOn: 'error' | 'warning') =>
    sharp(bytes, { failOn, limitInputPixels: MAX_PIXELS, sequentialRead: true, pages: 1 })
  try {
    const { format, width, height, isProgressive } = await open('error').metadata()
    if (format !== 'jpeg') return false
    if (isProgressive && width * height > MAX_PROGRESSIVE_PIXELS) return false
    await open('warning')
      .resize(OUTPUT_SIDE_PIXELS, OUTPUT_SIDE_PIXELS, { fit: 'fill' })
      .raw()
      .toBuffer()
    return true
  } catch (error) {
    return isHarmless(error instanceof Error ? error.message : '')
  }
}

/** Some phones write a few extra bytes before the end marker. */
function isHarmless(message: string): boolean {
  const warnings = message.split('\n').filter((line) => line.trim() !== '')
  return warnings.length > 0 && warnings.every((line) => /\d+ extraneous bytes before/.test(line))
}
