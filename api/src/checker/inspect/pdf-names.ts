/** Actions that start a program. */
export const LAUNCH_ACTIONS: readonly string[] = ['/Launch']

const WINDOW = 1024 * 1024
const OVERLAP = 64

/** Matches each letter as itself or as `#` with its hex code, which PDF allows in names. */
const escaped = (name: string) =>
  name.replaceAll(/[A-Za-z]/g, (letter) => {
    const code = letter.charCodeAt(0).toString(16)
    const [first, second] = [code.charAt(0), code.charAt(1)]
    return `(?:${letter}|#${first}[${second}${second.toUpperCase()}])`
  })

const LAUNCHES = new RegExp(
  `/(?:${LAUNCH_ACTIONS.map((name) => escaped(name.slice(1))).join('|')})(?![^\\s\\0/<>()[\\]{}%])`,
)

/**
 * Searches all bytes for an action that starts a program, because viewers differ in what they accept as an object.
 * `PdfFindings` finds it in compressed objects.
 */
export function namesLaunch(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += WINDOW) {
    if (LAUNCHES.test(bytes.toString('latin1', at, at + WINDOW + OVERLAP))) {
      return true
    }
  }
  return false
}
