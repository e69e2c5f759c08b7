import { execFileSync } from 'node:child_process'

const TIMEOUT_MS = 600_000

/** Runs buildah and returns its output, such as an id or a path. */
export function buildah(args: readonly string[], stderr: 'pipe' | 'inherit' = 'pipe'): string {
  return execFileSync('buildah', ['--storage-driver', 'vfs', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', stderr],
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  }).trim()
}
