import { once } from 'node:events'
import { isIP } from 'node:net'
import { checkServerIdentity, connect } from 'node:tls'
import type { PeerCertificate } from 'node:tls'
import { ok, problem, warning } from './finding.ts'
import type { Subject } from './finding.ts'

const TIMEOUT_MS = 8_000
const DAY_MS = 86_400_000
const SOON_DAYS = 14
const HTTPS_PORT = 443

interface Presented {
  certificate: PeerCertificate
  /** Why a browser would not accept it. */
  distrust: string | undefined
}

async function presentedBy(host: string, port: number): Promise<Presented> {
  const servername = isIP(host) ? '' : host
  const options = { host, port, servername, rejectUnauthorized: false }
  const socket = connect({ ...options, timeout: TIMEOUT_MS })
  socket.on('timeout', () => socket.destroy(new Error('timeout')))
  try {
    await once(socket, 'secureConnect')
    const distrust = socket.authorizationError as unknown as string | null
    return { certificate: socket.getPeerCertificate(), distrust: distrust ?? undefined }
  } finally {
    socket.destroy()
  }
}

function adviceFor(distrust: string, { valid_from }: PeerCertificate): string {
  if (/^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/.test(distrust)) {
    return 'Install the whole chain.'
  }
  if (distrust.includes('SELF_SIGNED')) {
    return 'It is self-signed. Install one of an authority that browsers trust.'
  }
  if (distrust === 'CERT_NOT_YET_VALID') {
    return `It is valid from ${valid_from}. Check the clock of this machine, or install one that is valid now.`
  }
  return 'Install another one.'
}

export const certificate: Subject = {
  name: 'certificate',
  needs: ['PUBLIC_URL'],
  check: async ({ config, now }) => {
    const url = new URL(config.PUBLIC_URL)
    if (url.protocol !== 'https:')
      return warning('PUBLIC_URL is not https. Use https for real data.')
    const host = url.hostname.replaceAll(/[[\]]/g, '')
    let presented: Presented
    try {
      presented = await presentedBy(host, Number(url.port) || HTTPS_PORT)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return problem(
        `Nothing at PUBLIC_URL accepts TLS connections (${code ?? 'timeout'}). Check that the balancer runs, and the DNS name.`,
      )
    }
    const { certificate: found, distrust } = presented
    const days = Math.floor((Date.parse(found.valid_to) - now()) / DAY_MS)
    if (checkServerIdentity(host, found)) {
      return problem(
        'It is for another name than PUBLIC_URL. Install the certificate of this name.',
      )
    }
    if (days < 0) return problem('It has expired. Renew it.')
    if (distrust) {
      return problem(`Browsers do not trust it (${distrust}). ${adviceFor(distrust, found)}`)
    }
    if (days < SOON_DAYS) return warning(`It expires in ${days} days. Renew it.`)
    return ok(`It is valid for ${days} more days.`)
  },
}
