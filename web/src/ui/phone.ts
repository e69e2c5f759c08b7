/** `6195550134` → `(619) 555-0134`; anything else as it was given. */
export function shownPhone(phone: string): string {
  const parts = /^1?(\d{3})(\d{3})(\d{4})$/.exec(phone.replace(/\D/g, ''))
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : phone
}
