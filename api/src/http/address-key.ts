import { isIPv4, isIPv6 } from 'node:net'

const GROUPS = 8
/** A customer of an IPv6 provider has a /64 at least, and may use any address of it. */
const NETWORK_GROUPS = 4
const MAPPED_IPV4 = ['0', '0', '0', '0', '0', 'ffff']

/** What limits count a network address by: an IPv4 address, or the /64 of an IPv6 address. */
export function addressKey(ip: string): string {
  // Some balancers add the port, and link-local addresses carry their interface.
  const bare = ip.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2').replace(/%.*$/, '')
  if (!isIPv6(bare)) return isIPv4(bare) ? bare : ip
  const groups = groupsOf(bare)
  if (groups.slice(0, 6).join() === MAPPED_IPV4.join()) {
    return groups
      .slice(6)
      .map((group) => Number.parseInt(group, 16))
      .flatMap((pair) => [pair >> 8, pair & 255])
      .join('.')
  }
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** All eight, without leading zeros, whichever way the address is written. */
function groupsOf(ipv6: string): string[] {
  const canonical = new URL(`http://[${ipv6}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail]
}
