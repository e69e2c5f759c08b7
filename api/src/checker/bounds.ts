import { fileURLToPath } from 'node:url'
import { runScript } from './inspect.ts'
import type { Bounds } from './protocol.ts'

/** Readable for everyone, but no inspection needs it. */
const OTHER_FILE = fileURLToPath(import.meta.url)

/** Tries what an inspection must not be able to do, and prints what was refused. */
const ATTEMPTS = `
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
const isRefused = (attempt) => {
  try {
    attempt()
    return false
  } catch (error) {
    return error.code === 'EACCES' || error.code === 'EPERM'
  }
}
const files = isRefused(() => readFileSync(process.argv.at(-1)))
const processes = isRefused(() => readFileSync('/proc/' + process.ppid + '/environ'))
const signals = isRefused(() => process.kill(process.ppid, 0))
const end = (connections) => console.log(JSON.stringify({ files, connections, processes, signals }))
connect(9, '127.0.0.1')
  .on('connect', () => end(false))
  .on('error', (error) => end(error.code === 'EPERM' || error.code === 'EACCES'))
`

const NONE: Bounds = { files: false, connections: false, processes: false, signals: false }

/** Which bounds hold on this machine, by trying; and whether programs can be confined at all. */
export async function findBounds(): Promise<{ bounds: Bounds; isConfined: boolean }> {
  try {
    const { output } = await runScript({ script: ATTEMPTS, isConfined: true }, OTHER_FILE)
    return { bounds: JSON.parse(output) as Bounds, isConfined: true }
  } catch {
    // Without Perl, or on a system other than Linux.
    return { bounds: NONE, isConfined: false }
  }
}
