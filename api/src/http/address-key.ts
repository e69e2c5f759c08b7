import { isIPv6 } from 'node:net'

const IPV6_GROUPS = 8
/** What a household or a host gets: within it, addresses are free to change. */
const NETWORK_GROUPS = 4
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The address by which requests are counted: all of an IPv6 /64 are one. */
export function addressKey(ip: string): string {
  const mapped = ip.match(MAPPED_IPV4)?.[1]
  if (mapped) return mapped
  const [address = ''] = ip.split('%', 1)
  if (!isIPv6(address)) return ip
  const [head = '', tail] = address.split('::', 2)
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  // A tail in IPv4 notation stands for two groups; it is never within the first four of a short form.
  const written = first.length + last.length + (address.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? 0 : IPV6_GROUPS - written
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last]
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16))
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
