import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'

/** Each program, with its Debian package. */
const TOOLS = {
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  unshare: 'util-linux',
  psql: 'postgresql-client',
}

/** Returns why the image check cannot run on this machine, and how to fix that. */
export function unmetRequirement(): string | undefined {
  if (userInfo().uid !== 0) return 'Run this as root, because it builds and mounts the image.'
  const absent = Object.entries(TOOLS).filter(
    ([name]) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  )
  if (absent.length === 0) return undefined
  return `Install the missing tools: apt-get install ${absent.map(([, debianPackage]) => debianPackage).join(' ')}`
}
