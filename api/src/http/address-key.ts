import { isIPv4, isIPv6 } from 'node:net'

/** A client can send any text as forwarded address; a real one, with port and interface, is shorter. */
const ADDRESS_MAX = 64
const GROUPS = 8
/** A customer of an IPv6 provider can use any address of a /64. */
const KEY_GROUPS = 4
const NETWORK_GROUPS = 3
const MAPPED_IPV4 = '0:0:0:0:0:ffff'

export interface AddressParts {
  /** A /24 or a /48, for display; null if it is not an address. */
  network: string | null
  /** An IPv4 address, or the /64 of an IPv6 address. */
  key: string
}

/** Fastify has no address for a client that has disconnected. */
export function addressParts(ip: string | undefined = ''): AddressParts {
  const given = ip.slice(0, ADDRESS_MAX)
  // Some balancers add the port, and link-local addresses contain their interface.
  const bare = given.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2').replace(/%.*$/, '')
  if (isIPv4(bare)) {
    return { network: `${bare.split('.').slice(0, 3).join('.')}.0/24`, key: bare }
  }
  if (!isIPv6(bare)) return { network: null, key: given }
  const groups = groupsOf(bare)
  if (groups.slice(0, 6).join(':') === MAPPED_IPV4) return addressParts(mappedIpv4(groups))
  return {
    network: `${groups.slice(0, NETWORK_GROUPS).join(':')}::/48`,
    key: `${groups.slice(0, KEY_GROUPS).join(':')}::/64`,
  }
}

/** Limits count network addresses by this key. */
export const addressKey = (ip: string | undefined): string => addressParts(ip).key

/** All eight groups, without leading zeros. */
function groupsOf(ipv6: string): string[] {
  const canonical = new URL(`http://[${ipv6}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail]
}

const mappedIpv4 = (groups: readonly string[]): string =>
  groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.')
