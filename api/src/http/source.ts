import { isIPv4, isIPv6 } from 'node:net'
import type { Source } from '../db/request-source.ts'
import type { Tokens } from './tokens.ts'

/** A forwarded address is text that someone sent; no address is longer. */
const ADDRESS_MAX = 45

/** The eight groups of an IPv6 address, with what `::` stands for; without a zone. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const parts = (text: string) =>
    text.split(':').flatMap((part) => {
      if (!part) return []
      if (!part.includes('.')) return [Number.parseInt(part, 16).toString(16)]
      const [a, b, c, d] = part.split('.').map(Number) as [number, number, number, number]
      return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
    })
  const [front, back] = [parts(head), parts(tail ?? '')]
  const left = tail === undefined ? 0 : 8 - front.length - back.length
  return [...front, ...Array.from({ length: left }, () => '0'), ...back]
}

/** `network` is for people to read; `matched` is what counts as one address: for IPv6, one subscriber's /64. */
export function addressParts(ip: string): { network: string | null; matched: string } {
  const address = ip.slice(0, ADDRESS_MAX)
  if (isIPv4(address)) {
    return { network: `${address.split('.').slice(0, 3).join('.')}.0/24`, matched: address }
  }
  if (!isIPv6(address)) return { network: null, matched: address }
  const groups = groupsOf(address)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    const [high, low] = groups.slice(6).map((group) => Number.parseInt(group, 16))
    return addressParts([high! >> 8, high! & 255, low! >> 8, low! & 255].join('.'))
  }
  return {
    network: `${groups.slice(0, 3).join(':')}::/48`,
    matched: `${groups.slice(0, 4).join(':')}::/64`,
  }
}

/** What of a caller's address may be stored. */
export const sources =
  (tokens: Pick<Tokens, 'hash'>) =>
  (ip: string): Source => {
    const { network, matched } = addressParts(ip)
    return { network, address: tokens.hash('source', matched) }
  }
