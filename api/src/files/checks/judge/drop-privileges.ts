import { fchmodSync } from 'node:fs'

/** `nobody` and `nogroup` of Debian. */
const NOBODY = 65_534
const READ_ONLY = 0o444

/**
 * Goes on as a user who owns nothing, where the platform allows it. The programs started later open the
 * file anew, so it becomes readable; its folder stays closed, so only who was handed the file reaches it.
 */
export function dropPrivileges(file: number): void {
  if (process.geteuid?.() !== 0) return
  fchmodSync(file, READ_ONLY)
  try {
    process.setgroups!([])
    process.setgid!(NOBODY)
    process.setuid!(NOBODY)
  } catch {
    // A root without the capabilities of one, as some containers have it.
  }
}
