import { lazyCode } from '../../ui/lazy-code.ts'

const loadCode = lazyCode(async () => (await import('./photos/clean-photo.ts')).cleanPhoto)

/**
 * A JPEG without what says where and with what it was taken. Any other file is returned as it is, also a JPEG that
 * cannot be read: the server checks each file and removes what is left.
 */
export async function withoutCameraData(file: File): Promise<File> {
  try {
    const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
    if (first !== 0xff || second !== 0xd8) return file
    const cleanPhoto = await loadCode()
    return (await cleanPhoto(file)) ?? file
  } catch {
    // The file was moved, or the code could not be loaded.
    return file
  }
}
