/** Hands a text made here to the browser, as if it had been downloaded. */
export function saveFile(text: string, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Later: some browsers read the file only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
