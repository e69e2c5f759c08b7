import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { childExit } from './child-exit.ts'
import { CLAMD_DIRECTORIES, installHint } from './tools.ts'
import { UserError } from './user-error.ts'
import { endWithParent } from './watchdog.ts'

/** The harmless test file that every scanner reports. In two halves, so that no scanner reports this source. */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

const START_TIMEOUT_MS = 30_000
const POLL_MS = 25

export interface Clamd {
  /** The path of its socket. */
  address: string
  close(): Promise<void>
}

/**
 * A real clamd whose only signature is the EICAR test file; `signaturesFrom` is the date that it states as the age of
 * its signatures.
 */
export async function startClamd(
  settings: readonly string[] = [],
  directories: readonly string[] = CLAMD_DIRECTORIES,
  signaturesFrom?: Date,
): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-clamd-'))
  const address = join(folder, 'clamd.sock')
  writeFileSync(join(folder, 'eicar.ndb'), `Eicar-Test:0:*:${EICAR.toString('hex')}\n`)
  if (signaturesFrom) writeDailyDatabase(folder, signaturesFrom)
  const lines = [
    `LocalSocket ${address}`,
    `DatabaseDirectory ${folder}`,
    `TemporaryDirectory ${folder}`,
    'Foreground yes',
    'SelfCheck 0',
    'StreamMaxLength 128M',
    'MaxFileSize 128M',
    // Fuzzy image hashing takes four fifths of the time of a photo scan, and this clamd has no signature for it.
    'ScanImageFuzzyHash no',
    // As root, clamd would switch to a user that may not enter the folder.
    ...(userInfo().uid === 0 ? ['User root'] : []),
  ]
  // If a setting occurs twice, clamd uses the first line.
  writeFileSync(join(folder, 'clamd.conf'), `${[...settings, ...lines].join('\n')}\n`)
  const child = spawn('clamd', ['--config-file', join(folder, 'clamd.conf')], {
    stdio: 'ignore',
    env: { PATH: directories.join(':'), TZ: 'UTC' },
  })
  let exit: string | undefined
  const exited = childExit(child).then((how) => (exit = how))
  const watchdog = child.pid === undefined ? undefined : endWithParent(child.pid, 'KILL')
  const close = async () => {
    child.kill('SIGKILL')
    await exited
    await watchdog?.release()
    rmSync(folder, { recursive: true, force: true })
  }
  const signal = AbortSignal.timeout(START_TIMEOUT_MS)
  while (!(await respondsToPing(address))) {
    if (exit !== undefined || signal.aborted) {
      const reason = exit ?? `no response in ${START_TIMEOUT_MS / 1000} s`
      await close()
      throw new UserError(`clamd did not start (${reason}). ${installHint(['clamd'])}`)
    }
    await delay(POLL_MS)
  }
  return { address, close }
}

/** An unsigned database with the name of the official one and a single signature that nothing matches. */
function writeDailyDatabase(folder: string, publishedAt: Date): void {
  const seconds = Math.trunc(publishedAt.getTime() / 1000)
  // clamd reads only the seconds at the end; the written date has no effect.
  const header = `ClamAV-VDB:01 Jan 2026 00-00 +0000:27000:1:90:X:X:builder:${seconds}`
  const signature = `Nothing:0:*:${'00ff'.repeat(16)}\n`
  const sha256 = createHash('sha256').update(signature).digest('hex')
  writeFileSync(join(folder, 'daily.ndb'), signature)
  writeFileSync(join(folder, 'daily.info'), `${header}\ndaily.ndb:${signature.length}:${sha256}\n`)
  const files = ['daily.info', 'daily.ndb']
  const archive = execFileSync('tar', ['--format=ustar', '-cz', '-C', folder, ...files])
  for (const file of files) rmSync(join(folder, file))
  writeFileSync(
    join(folder, 'daily.cud'),
    Buffer.concat([Buffer.from(header.padEnd(512)), archive]),
  )
}

async function respondsToPing(address: string): Promise<boolean> {
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
