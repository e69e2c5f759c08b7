import { fchmodSync } from 'node:fs'

/** `nobody` and `nogroup` of Debian. */
const NOBODY = 65_534
const READ_ONLY = 0o444

/**
 * Continues as `nobody`, if this process is root. Child programs open the file again, so it becomes readable;
 * its folder stays private.
 */
export function dropPrivileges(file: number): void {
  if (process.geteuid?.() !== 0) return
  fchmodSync(file, READ_ONLY)
  try {
    process.setgroups!([])
    process.setgid!(NOBODY)
    process.setuid!(NOBODY)
  } catch {
    // In some containers root lacks this capability.
  }
}
