/** `6195550134` → `(619) 555-0134`; any other text is unchanged. */
export function phoneText(phone: string): string {
  const parts = /^1?(\d{3})(\d{3})(\d{4})$/.exec(phone.replace(/\D/g, ''))
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : phone
}

/** Undefined for a text that cannot be dialled as it is, such as a number with an extension. */
export function phoneHref(phone: string): string | undefined {
  const number = /^1?(\d{10})$/.exec(phone.replace(/[\s().+-]/g, ''))?.[1]
  return number && `tel:+1${number}`
}
