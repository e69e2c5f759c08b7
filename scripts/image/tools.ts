import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'

const TOOLS = {
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  unshare: 'util-linux',
  psql: 'postgresql-client',
}

/** What keeps the check from running here, with the way to mend it. */
export function missingTools(): string | undefined {
  if (userInfo().uid !== 0) return 'The image is built and mounted as root.'
  const absent = Object.entries(TOOLS).filter(
    ([name]) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  )
  if (absent.length === 0) return undefined
  return `Install what is missing: apt-get install ${absent.map(([, debian]) => debian).join(' ')}`
}
