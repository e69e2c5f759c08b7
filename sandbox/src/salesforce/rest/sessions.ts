import { createVerify, randomBytes, randomUUID } from 'node:crypto'
import { parseJsonObject } from '../../json.ts'
import { ApiError, apiError } from '../errors.ts'

export interface Client {
  id: string
  secret: string
  /** PEM of the key that verifies assertions; without it, only the size of a signature is checked. */
  publicKey?: string
}

export const SANDBOX_CLIENT: Client = { id: 'guidon-sandbox', secret: 'for-development-only' }

const ORG = '00D5g000004LtGUEA0'
const INTEGRATION_USER = '0055g00000AAAAAAA4'
const MIN_SIGNATURE_BYTES = 128
const MAX_ASSERTION_SECONDS = 300

/** An error response of the token endpoint: one object, not an array as in `ApiError`. */
export class TokenError extends Error {
  readonly body: { error: string; error_description: string }

  constructor(error: string, description: string) {
    super(description)
    this.body = { error, error_description: description }
  }
}

export class Sessions {
  readonly #client: Client
  readonly #tokens = new Set<string>()

  constructor(client: Client) {
    this.#client = client
  }

  grant(form: URLSearchParams, url: string) {
    switch (form.get('grant_type') ?? '') {
      case 'client_credentials':
        this.#checkSecret(form)
        break
      case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
        this.#checkAssertion(form.get('assertion') ?? '')
        break
      default:
        throw new TokenError('unsupported_grant_type', 'grant type not supported')
    }
    const token = `${ORG.slice(0, 15)}!${randomBytes(48).toString('base64url')}`
    this.#tokens.add(token)
    return {
      access_token: token,
      signature: randomUUID(),
      scope: 'api',
      instance_url: url,
      id: `${url}/id/${ORG}/${INTEGRATION_USER}`,
      token_type: 'Bearer',
      issued_at: String(Date.now()),
    }
  }

  check(authorization: string | undefined): void {
    const [, token = ''] = /^(?:Bearer|OAuth) (.+)$/.exec(authorization ?? '') ?? []
    if (!this.#tokens.has(token)) throw expired()
  }

  revokeAll(): void {
    this.#tokens.clear()
  }

  #checkSecret(form: URLSearchParams): void {
    if (form.get('client_id') !== this.#client.id) {
      throw new TokenError('invalid_client_id', 'client identifier invalid')
    }
    if (form.get('client_secret') !== this.#client.secret) {
      throw new TokenError('invalid_client', 'invalid client credentials')
    }
  }

  #checkAssertion(assertion: string): void {
    const [header = '', claims = '', signature = '', ...more] = assertion.split('.')
    const { alg } = decoded(header)
    const { iss, sub, aud, exp } = decoded(claims)
    if (more.length > 0 || alg !== 'RS256') throw invalidAssertion()
    if (iss !== this.#client.id) {
      throw new TokenError('invalid_client_id', 'client identifier invalid')
    }
    if (typeof sub !== 'string' || sub === '' || typeof aud !== 'string' || aud === '') {
      throw new TokenError('invalid_grant', 'audience is invalid')
    }
    const secondsLeft = Number(exp) - Date.now() / 1000
    if (!(secondsLeft > 0 && secondsLeft <= MAX_ASSERTION_SECONDS)) {
      throw new TokenError('invalid_grant', 'expired authorization code')
    }
    if (!this.#isSigned(`${header}.${claims}`, Buffer.from(signature, 'base64url'))) {
      throw invalidAssertion()
    }
  }

  #isSigned(text: string, signature: Buffer): boolean {
    const { publicKey } = this.#client
    if (publicKey === undefined) return signature.length >= MIN_SIGNATURE_BYTES
    return createVerify('RSA-SHA256').update(text).verify(publicKey, signature)
  }
}

export function expired(): ApiError {
  return apiError(401, 'INVALID_SESSION_ID', 'Session expired or invalid')
}

function decoded(part: string): Record<string, unknown> {
  const value = parseJsonObject(Buffer.from(part, 'base64url').toString('utf8'))
  if (value === undefined) throw invalidAssertion()
  return value
}

function invalidAssertion(): TokenError {
  return new TokenError('invalid_grant', 'invalid assertion')
}
