import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { UserError } from '../user-error.ts'

export interface OsUser {
  uid?: number
  gid?: number
}

/**
 * PostgreSQL refuses to run as root. For root, it runs as the owner of the cluster, else as `postgres`,
 * else as `nobody`: existing users, so that nothing is added to the machine.
 */
export function postgresUser(cluster: string): OsUser {
  if (process.getuid?.() !== 0) return {}
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const user = lookUp('postgres') ?? lookUp('nobody')
  if (user !== undefined) return user
  throw new UserError(
    'PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as. ' +
      'Run as an ordinary user instead.',
  )
}

function lookUp(name: string): OsUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const result = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return result.status === 0 ? Number(result.stdout) : Number.NaN
  })
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid: uid!, gid: gid! } : undefined
}

/** Tries to enter the folder, because mode bits do not show access lists and mount options. */
export function canEnter(directory: string, user: OsUser): boolean {
  if (user.uid === undefined) return true
  const attempt = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  })
  return attempt.status === 0
}
