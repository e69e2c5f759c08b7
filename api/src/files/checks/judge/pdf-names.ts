/** Actions that start a program. */
export const LAUNCH_ACTIONS: readonly string[] = ['/Launch']

const WINDOW = 1024 * 1024
const OVERLAP = 64

/** Each character as it is, or by its code as PDFs may write it; the digits of a code in any case. */
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
 * Whether the bytes name such an action, wherever they stand: viewers differ in what they take for an
 * object. What is packed is found by the reader of objects.
 */
export function namesLaunch(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += WINDOW) {
    if (LAUNCHES.test(bytes.toString('latin1', at, at + WINDOW + OVERLAP))) {
      return true
    }
  }
  return false
}
