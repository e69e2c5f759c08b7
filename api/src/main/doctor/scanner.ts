import { clamd } from '../../files/checks/clamd.ts'
import { ok, problem, warning } from './finding.ts'
import type { Subject } from './finding.ts'

const DAY_MS = 86_400_000
const OLD_DAYS = 3
/** For each of the two commands below; long enough for a busy machine. */
const TIMEOUT_MS = 8_000
const UPDATE = 'Check that freshclam runs and reaches the internet.'

export const scanner: Subject = {
  name: 'scanner',
  needs: ['CLAMD_ADDRESS'],
  check: async ({ config, now }) => {
    const running = clamd({ address: config.CLAMD_ADDRESS, commandTimeoutMs: TIMEOUT_MS })
    if (!(await running.alive())) {
      return problem(
        'It does not respond, so uploads are refused. Start clamd, or check CLAMD_ADDRESS.',
      )
    }
    const from = await running.signaturesFrom()
    if (!from) return warning(`It does not say how old its signatures are. ${UPDATE}`)
    const days = (now() - from.getTime()) / DAY_MS
    if (days > OLD_DAYS)
      return warning(`Its signatures are ${Math.floor(days)} days old. ${UPDATE}`)
    return ok(`It responds, and its signatures are of ${from.toISOString().slice(0, 10)}.`)
  },
}
