import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Paths of PEM files. */
export interface Certificates {
  ca: string
  certificate: string
  key: string
}

/** A certificate authority and one certificate for 127.0.0.1, which every part uses as server and as client. */
export function makeCertificates(folder: string): Certificates {
  const [ca, caKey, certificate, key] = ['ca.pem', 'ca.key', 'machine.pem', 'machine.key'].map(
    (name) => join(folder, name),
  ) as [string, string, string, string]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const openssl = (...args: string[]) =>
    execFileSync('openssl', ['req', '-x509', ...curve, ...args], { stdio: 'ignore' })
  // Patroni's Python refuses an authority without a key usage.
  const authority = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign']
  openssl('-subj', '/CN=Guidon test CA', ...authority, '-keyout', caKey, '-out', ca)
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const machine = ['-addext', 'basicConstraints=critical,CA:false', '-CA', ca, '-CAkey', caKey]
  openssl(...names, ...machine, '-keyout', key, '-out', certificate)
  return { ca, certificate, key }
}
