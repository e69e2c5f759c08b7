import { readFileSync } from 'node:fs'
import { findBounds } from '../../../api/src/checker/bounds.ts'
import { serveChecks } from '../../../api/src/checker/server.ts'
import { createLog } from '../../../api/src/platform/log.ts'
import { attackScript } from '../../support/attacks/inside-checker.ts'
import type { Targets } from '../../support/attacks/inside-checker.ts'

/** The checker of the product, with an attack in place of the inspection, as if each file had taken it over. */

const [socket, targets, free] = process.argv.slice(2) as [string, string, string?]
const log = createLog('info', 'checker')
const script = attackScript(JSON.parse(readFileSync(targets, 'utf8')) as Targets)
const inspector = { script, isConfined: free === undefined }
const { bounds } = await findBounds()
await serveChecks({ socket, inspector, bounds, log })
log.info('checker ready')
