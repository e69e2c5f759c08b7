import { execFileSync } from 'node:child_process'

/** A new self-signed certificate for localhost, after its key, as PEM. */
export function selfSigned(days: number): string {
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout -'
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  return execFileSync(
    'openssl',
    ['req', '-x509', ...key.split(' '), '-days', String(days), ...name],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
}
