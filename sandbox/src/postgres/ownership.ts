import { spawnSync } from 'node:child_process'
import {
  existsSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PlainProblem } from '../plain-problem.ts'
import { isRunning, processIdentity } from '../process-identity.ts'

const FAST_STOP_MS = 15_000
const LOOK_AGAIN_MS = 50

/**
 * Takes the cluster for this process. A cluster that another living process started is refused; one
 * that outlived its starter (killed, out of memory) is stopped first.
 */
export async function takeOwnership(home: string, data: string): Promise<{ release(): void }> {
  const ownerFile = join(home, 'owner')
  const owner = existsSync(ownerFile) ? readFileSync(ownerFile, 'utf8').trim() : ''
  const mine = processIdentity(process.pid) ?? String(process.pid)
  if (owner !== '' && isRunning(owner)) {
    const pid = Number.parseInt(owner, 10)
    throw new PlainProblem(`The data in ${home} is in use by process ${pid}. Stop that one first.`)
  }
  writeFileSync(ownerFile, `${mine}\n`)
  await stopOrphan(data)
  return { release: () => rmSync(ownerFile, { force: true }) }
}

async function stopOrphan(data: string): Promise<void> {
  const lock = join(data, 'postmaster.pid')
  if (!existsSync(lock)) return
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10)
  const orphan = Number.isInteger(pid) ? processIdentity(pid) : undefined
  if (orphan !== undefined && isPostmasterOf(pid, data)) {
    // SIGINT is PostgreSQL's fast shutdown: clients are dropped, nothing written is lost.
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      if (await ends(pid, orphan, signal)) break
    }
  }
  // The number may since belong to a stranger, for whose sake PostgreSQL would refuse to start.
  rmSync(lock, { force: true })
}

async function ends(pid: number, identity: string, signal: NodeJS.Signals): Promise<boolean> {
  try {
    process.kill(pid, signal)
  } catch {
    return true
  }
  for (let waited = 0; waited < FAST_STOP_MS; waited += LOOK_AGAIN_MS) {
    if (!isRunning(identity)) return true
    await delay(LOOK_AGAIN_MS)
  }
  return false
}

function isPostmasterOf(pid: number, data: string): boolean {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
    } catch {
      return false
    }
  }
  const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return command.stdout.includes(data)
}
