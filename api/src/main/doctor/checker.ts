import { checkers } from '../../files/checks/checkers.ts'
import { ok, problem, warning } from './finding.ts'
import type { Subject } from './finding.ts'

/** Long enough for a busy machine. */
const TIMEOUT_MS = 8_000

export const checker: Subject = {
  name: 'checker',
  needs: ['CHECKER_SOCKETS'],
  check: async ({ config }) => {
    const sockets = config.CHECKER_SOCKETS
    if (sockets.length === 0) return ok('Not configured here: only an API needs it.')
    const all = await checkers(sockets, { readyMs: TIMEOUT_MS }).bounds()
    const up = all.filter((bounds) => bounds !== undefined)
    const found = `${up.length} of ${all.length} respond`
    const advice = 'Start them, or check CHECKER_SOCKETS.'
    if (up.length === 0) return problem(`${found}, so uploads are refused. ${advice}`)
    const missing = new Set(
      up.flatMap((bounds) =>
        Object.entries(bounds).flatMap(([name, holds]) => (holds ? [] : name)),
      ),
    )
    if (missing.size > 0) {
      return warning(
        `${found}, but nothing keeps an inspection from ${[...missing].join(', ')}. See docs/operate/deploy.md, "The file checkers".`,
      )
    }
    if (up.length < all.length) return warning(`${found}. ${advice}`)
    return ok(`${found}. No file, connection, process or signal is in reach of an inspection.`)
  },
}
