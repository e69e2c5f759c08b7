import { cleanJpeg } from '@guidon/contract/clean-jpeg'

/**
 * The photo without what says where and with what it was taken. Undefined if it is not a JPEG that can be read. The
 * result refers to parts of the file, so that the browser holds none of them in memory.
 */
export async function cleanPhoto(photo: File): Promise<File | undefined> {
  const parser = cleanJpeg(photo.size)
  let step = parser.next()
  while (!step.done) {
    const { start, end } = step.value
    step = parser.next(new Uint8Array(await photo.slice(start, end).arrayBuffer()))
  }
  const clean = step.value
  if (!clean?.changed) return clean && photo
  const parts = clean.ranges.map(([start, end]) => photo.slice(start, end))
  const { name, type, lastModified } = photo
  return new File([clean.head, ...parts], name, { type, lastModified })
}
