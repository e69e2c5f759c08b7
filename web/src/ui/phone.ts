/** `6195550134` → `(619) 555-0134`; anything else as it was given. */
export function shownPhone(phone: string): string {
  const parts = /^1?(\d{3})(\d{3})(\d{4})$/.exec(phone.replace(/\D/g, ''))
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : phone
}

/** Where a US number leads; nothing for a text that would dial someone else, such as one with an extension. */
export function phoneHref(phone: string): string | undefined {
  const number = /^1?(\d{10})$/.exec(phone.replace(/[\s().+-]/g, ''))?.[1]
  return number && `tel:+1${number}`
}
