import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endWithParent } from './watchdog.ts'

/** The harmless file that every scanner must find. In two halves, so that none finds it in our source. */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

const START_MS = 30_000
const POLL_MS = 25

export interface Clamd {
  /** The path of its socket. */
  address: string
  close(): Promise<void>
}

/** A real clamd that knows one virus, of which every byte is harmless. */
export async function startClamd(settings: readonly string[] = []): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-clamd-'))
  const address = join(folder, 'clamd.sock')
  writeFileSync(join(folder, 'eicar.ndb'), `Eicar-Test:0:*:${EICAR.toString('hex')}\n`)
  const lines = [
    `LocalSocket ${address}`,
    `DatabaseDirectory ${folder}`,
    `TemporaryDirectory ${folder}`,
    'Foreground yes',
    'SelfCheck 0',
    'StreamMaxLength 128M',
    'MaxFileSize 128M',
    // Four fifths of the time on a photo, for signatures of pictures that this one does not have.
    'ScanImageFuzzyHash no',
    // As root it would become another user, who may not enter the folder.
    ...(userInfo().uid === 0 ? ['User root'] : []),
  ]
  // clamd takes the first line of a kind.
  writeFileSync(join(folder, 'clamd.conf'), `${[...settings, ...lines].join('\n')}\n`)
  const path = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/usr/bin'].join(':')
  const child = spawn('clamd', ['--config-file', join(folder, 'clamd.conf')], {
    stdio: 'ignore',
    env: { PATH: path },
  })
  const exited = once(child, 'exit')
  const watchdog = child.pid === undefined ? undefined : endWithParent(child.pid, 'KILL')
  const close = async () => {
    child.kill('SIGKILL')
    await exited
    await watchdog?.release()
    rmSync(folder, { recursive: true, force: true })
  }
  const signal = AbortSignal.timeout(START_MS)
  while (!(await answers(address))) {
    if (child.exitCode !== null || signal.aborted) {
      await close()
      throw new Error('clamd did not start')
    }
    await delay(POLL_MS)
  }
  return { address, close }
}

async function answers(address: string): Promise<boolean> {
  const socket = connect(address)
  try {
    await once(socket, 'connect')
    socket.write('zPING\0')
    return String((await once(socket, 'data'))[0]).startsWith('PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
