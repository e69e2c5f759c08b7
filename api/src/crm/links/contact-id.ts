const CHECK_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'
const SHORT = /^[A-Za-z0-9]{15}$/

/**
 * Converts a Salesforce id of 15 characters to the form with 18. Each of the three added characters encodes which
 * letters of a group of five are capitals.
 */
export function longContactId(id: string): string {
  if (!SHORT.test(id)) return id
  const checks = [0, 5, 10].map((from) => {
    const letters = id.slice(from, from + 5).split('')
    const capitals = letters.map((letter, at) => (/[A-Z]/.test(letter) ? 2 ** at : 0))
    return CHECK_CHARACTERS[capitals.reduce((sum, bit) => sum + bit)]
  })
  return id + checks.join('')
}
