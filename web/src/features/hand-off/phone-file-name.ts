/** `rating.pdf` → `rating 14.05.09.pdf`. */
export function withTimeInName(file: File, now: Date): File {
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((number) => String(number).padStart(2, '0'))
    .join('.')
  const name = file.name.replace(/(\.[^.]*)?$/, ` ${time}$1`)
  return new File([file], name, { type: file.type, lastModified: file.lastModified })
}
