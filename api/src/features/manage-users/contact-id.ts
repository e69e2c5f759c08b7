const CHECKS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'
const SHORT = /^[A-Za-z0-9]{15}$/

/**
 * People copy an id in its short form, whose letters' case matters; programs add three characters, each of
 * which says which of five letters are capitals.
 */
export function longContactId(id: string): string {
  if (!SHORT.test(id)) return id
  const checks = [0, 5, 10].map((from) => {
    const letters = id.slice(from, from + 5).split('')
    const capitals = letters.map((letter, at) => (/[A-Z]/.test(letter) ? 2 ** at : 0))
    return CHECKS[capitals.reduce((sum, bit) => sum + bit)]
  })
  return id + checks.join('')
}
