import { existsSync, mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Debian's paths. */
const LIBRARIES = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
)
/** How often libfaketime reads the file with the shift. */
const READ_SECONDS = 1

/** A clock that a process takes from libfaketime, and that can be shifted while the process runs. */
export function shiftedClock(parts: AsyncDisposableStack) {
  const library = LIBRARIES.find((path) => existsSync(path))
  if (!library) throw new Error('libfaketime is not installed: apt-get install libfaketime')
  const folder = mkdtempSync(join(tmpdir(), 'guidon-clock-'))
  parts.defer(() => rmSync(folder, { recursive: true }))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const file = join(folder, 'shift')
  writeFileSync(file, '+0')
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: String(READ_SECONDS),
      // Timeouts count elapsed time, which a wrong clock does not change.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    /** For example `-11m` or `+1d`; `+0` is the real time. Settles when the process has the new time. */
    shift: async (by: string) => {
      writeFileSync(file, by)
      await delay(READ_SECONDS * 2000)
    },
  }
}
