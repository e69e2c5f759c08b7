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
import { isRunning, processIdentity } from '../process-identity.ts'
import { UserError } from '../user-error.ts'

const FAST_STOP_MS = 15_000
const POLL_MS = 50

/**
 * Takes the cluster for this process. Throws if another running process owns it. A server whose owner
 * was killed is stopped first.
 */
export async function takeOwnership(home: string, data: string): Promise<{ release(): void }> {
  const ownerFile = join(home, 'owner')
  const owner = existsSync(ownerFile) ? readFileSync(ownerFile, 'utf8').trim() : ''
  const mine = processIdentity(process.pid) ?? String(process.pid)
  if (owner !== '' && isRunning(owner)) {
    const pid = Number.parseInt(owner, 10)
    throw new UserError(`The data in ${home} is in use by process ${pid}. Stop that one first.`)
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
    // SIGINT is PostgreSQL's fast shutdown: it disconnects clients and loses no committed data.
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      if (await endsAfter(pid, orphan, signal)) break
    }
  }
  // An unrelated process may have this process id by now, and PostgreSQL would refuse to start.
  rmSync(lock, { force: true })
}

async function endsAfter(pid: number, identity: string, signal: NodeJS.Signals): Promise<boolean> {
  try {
    process.kill(pid, signal)
  } catch {
    return true
  }
  for (let waited = 0; waited < FAST_STOP_MS; waited += POLL_MS) {
    if (!isRunning(identity)) return true
    await delay(POLL_MS)
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
