const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECK_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'

/** Key prefix, two characters of the instance, a counter in base 62, and check characters for upper and lower case. */
export function makeId(keyPrefix: string, number: number): string {
  let counter = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) {
    counter = DIGITS[rest % 62]! + counter
  }
  return withCheck(`${keyPrefix}5g${counter.padStart(10, '0')}`)
}

// Three characters encode which of the fifteen are capitals, for clients that ignore case.
function withCheck(id: string): string {
  let check = ''
  for (let part = 0; part < 15; part += 5) {
    let bits = 0
    for (let place = 0; place < 5; place += 1) {
      const character = id.charCodeAt(part + place)
      if (character >= 65 && character <= 90) bits |= 1 << place
    }
    check += CHECK_DIGITS[bits]
  }
  return id + check
}

/** The 18-character form of an id, or undefined if it is not valid. */
export function fullId(id: string): string | undefined {
  if (/^[a-zA-Z0-9]{15}$/.test(id)) return withCheck(id)
  return /^[a-zA-Z0-9]{18}$/.test(id) && withCheck(id.slice(0, 15)) === id ? id : undefined
}
