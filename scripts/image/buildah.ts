import { execFileSync } from 'node:child_process'

const LONGEST_MS = 600_000

/** What it prints last on its output, which is the id or path that was asked for. */
export function buildah(args: readonly string[], stderr: 'pipe' | 'inherit' = 'pipe'): string {
  return execFileSync('buildah', ['--storage-driver', 'vfs', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', stderr],
    timeout: LONGEST_MS,
    maxBuffer: 64 * 1024 * 1024,
  }).trim()
}
