import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** `host`, or if it is a network such as 10.0.0.0/24, the address of this machine in it. Undefined if it has none. */
export function ownAddress(host: string): string | undefined {
  const [network = '', prefix] = host.split('/')
  if (prefix === undefined) return host
  const family = isIPv6(network) ? 'ipv6' : 'ipv4'
  const members = new BlockList()
  members.addSubnet(network, Number(prefix), family)
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own.find(({ address }) => members.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
    ?.address
}
