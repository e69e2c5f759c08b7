/** Phones give this name to every photo taken from a web page. A second one would be refused as a duplicate. */
const CAMERA_NAME = /^image\.jpe?g$/i

/** Renames a file with a camera's generic name to a unique one. */
export function uniquePhotoName(file: File): File {
  if (!CAMERA_NAME.test(file.name)) return file
  const taken = new Date(file.lastModified)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [taken.getFullYear(), two(taken.getMonth() + 1), two(taken.getDate())].join('-')
  const time = [taken.getHours(), taken.getMinutes(), taken.getSeconds()].map(two).join('.')
  const name = `Photo ${day} ${time}.${String(taken.getMilliseconds()).padStart(3, '0')}.jpg`
  return new File([file], name, { type: file.type, lastModified: file.lastModified })
}
