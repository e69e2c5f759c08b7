import { readFileSync } from 'node:fs'

export interface Seen {
  uid: number
  capabilities: string
  noNewPrivileges: boolean
  /** Mount points that are not read-only; not the kernel's own. */
  writable: string[]
}

/** What the kernel says of a running process. */
export function seen(pid: number): Seen {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
  return {
    uid: Number(field('Uid')),
    capabilities: field('CapEff'),
    noNewPrivileges: field('NoNewPrivs') === '1',
    writable: mounts(pid)
      .filter(({ isReadOnly, type }) => !isReadOnly && type !== 'proc')
      .map(({ at }) => at),
  }
}

function mounts(pid: number) {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [mount = '', system = ''] = line.split(' - ')
    const [, , , , at = '', own = ''] = mount.split(' ')
    const [type = '', , whole = ''] = system.split(' ')
    const isReadOnly = [own, whole].some((options) => options.split(',').includes('ro'))
    return { at, type, isReadOnly }
  })
}
