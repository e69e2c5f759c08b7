import { readFileSync } from 'node:fs'
import { ownAddress } from '../../platform/own-address.ts'
import { ConfigError, isPlaintext } from './config.ts'
import type { Config } from './config.ts'

/** How a process reaches the other systems. */

/** Workers never hash a password, so they start without the keys for it. */
export function passwordPeppers({ PASSWORD_PEPPER: peppers }: Config) {
  if (peppers) return peppers
  throw new ConfigError(
    'The API and admin commands need PASSWORD_PEPPER to hash passwords; see docs/configuration.md',
  )
}

/** Only the API lets files be checked. */
export function checkerSockets({ CHECKER_SOCKETS: sockets }: Config) {
  if (sockets.length > 0) return sockets
  throw new ConfigError(
    'The API needs CHECKER_SOCKETS to have uploads checked; see docs/configuration.md',
  )
}

/** Only the worker sends email, so the other processes start without the relay and its password. */
export function smtpAccess(config: Config) {
  const { SMTP_URL: url, SMTP_PLAINTEXT: plaintext } = config
  if (!url)
    throw new ConfigError('The worker needs SMTP_URL to send email; see docs/configuration.md')
  return { url, requireTls: plaintext === 'refuse' && isPlaintext(new URL(url)) }
}

/** The mailbox for emails that come back. Only the worker reads it. */
export function bounceAccess({ BOUNCE_ADDRESS: address, BOUNCE_URL: url }: Config) {
  if (address && url) return { address, url }
  if (!address && !url) return undefined
  throw new ConfigError(
    'The worker needs both BOUNCE_ADDRESS and BOUNCE_URL, or neither; see docs/configuration.md',
  )
}

/** Only the worker calls Salesforce, so the other processes start without these variables. */
export function salesforceAccess(config: Config) {
  const { SALESFORCE_LOGIN_URL: loginUrl, SALESFORCE_CLIENT_ID: clientId } = config
  const { SALESFORCE_CLIENT_SECRET: clientSecret, SALESFORCE_USERNAME: username } = config
  const keyFile = config.SALESFORCE_PRIVATE_KEY_FILE
  const missingError = (names: string) =>
    new ConfigError(`The worker needs ${names} to reach Salesforce; see docs/configuration.md`)
  if (!loginUrl || !clientId) throw missingError('SALESFORCE_LOGIN_URL and SALESFORCE_CLIENT_ID')
  if (clientSecret) {
    return { loginUrl, clientId, auth: { kind: 'client-credentials', clientSecret } as const }
  }
  if (!username || !keyFile) {
    throw missingError(
      'SALESFORCE_CLIENT_SECRET, or SALESFORCE_USERNAME and SALESFORCE_PRIVATE_KEY_FILE,',
    )
  }
  const privateKey = readFileSync(keyFile, 'utf8')
  return { loginUrl, clientId, auth: { kind: 'jwt', username, privateKey } as const }
}

export function telemetryAddresses(config: Config) {
  const { METRICS_PORT: port } = config
  const host = ownAddress(config.METRICS_HOST)
  if (port !== undefined && host === undefined)
    throw new ConfigError(`METRICS_HOST: no address of this machine is in ${config.METRICS_HOST}`)
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers } = config
  return {
    metrics: port === undefined || host === undefined ? undefined : { host, port },
    collector: url === undefined ? undefined : { url, headers },
  }
}

export function boxAccess(config: Config) {
  const { BOX_CLIENT_ID: clientId, BOX_CLIENT_SECRET: clientSecret } = config
  const { BOX_ENTERPRISE_ID: enterpriseId, BOX_API_URL: apiUrl, BOX_UPLOAD_URL: uploadUrl } = config
  if (!clientId || !clientSecret || !enterpriseId) {
    throw new ConfigError(
      'A worker, and an API with DOCUMENT_VIEWING=on, needs BOX_CLIENT_ID, BOX_CLIENT_SECRET and BOX_ENTERPRISE_ID to reach Box; see docs/configuration.md',
    )
  }
  return {
    clientId,
    clientSecret,
    enterpriseId,
    rootFolderId: config.BOX_ROOT_FOLDER_ID,
    ...(apiUrl && { apiUrl }),
    ...(uploadUrl && { uploadUrl }),
  }
}
