import { readFileSync } from 'node:fs'

interface Privileges {
  uid: number
  capabilities: string
  noNewPrivileges: boolean
  /** Writable mount points, except `/proc`. */
  writable: string[]
}

/** Reads the privileges of a running process from the kernel. */
export function privilegesOf(pid: number): Privileges {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
  return {
    uid: Number(field('Uid')),
    capabilities: field('CapEff'),
    noNewPrivileges: field('NoNewPrivs') === '1',
    writable: mounts(pid)
      .filter(({ isReadOnly, type }) => !isReadOnly && type !== 'proc')
      .map(({ path }) => path),
  }
}

function mounts(pid: number) {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [mount = '', system = ''] = line.split(' - ')
    const [, , , , path = '', mountOptions = ''] = mount.split(' ')
    const [type = '', , systemOptions = ''] = system.split(' ')
    const isReadOnly = [mountOptions, systemOptions].some((options) =>
      options.split(',').includes('ro'),
    )
    return { path, type, isReadOnly }
  })
}
