import { randomBytes } from 'node:crypto'
import { unauthorized } from './errors.ts'

export interface Credentials {
  clientId: string
  clientSecret: string
  enterpriseId: string
}

/** An error response of the token endpoint, which has its own format. */
export class TokenError extends Error {
  readonly body: { error: string; error_description: string }

  constructor(error: string, description: string) {
    super(description)
    this.body = { error, error_description: description }
  }
}

export class Tokens {
  readonly #credentials: Credentials
  readonly #seconds: number
  readonly #live = new Map<string, { user: string; until: number }>()

  constructor(credentials: Credentials, seconds: number) {
    this.#credentials = credentials
    this.#seconds = seconds
  }

  grant(form: URLSearchParams) {
    const { clientId, clientSecret, enterpriseId } = this.#credentials
    if (form.get('grant_type') !== 'client_credentials') {
      throw new TokenError('unsupported_grant_type', 'Only client_credentials is supported')
    }
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      throw new TokenError('invalid_client', 'The client credentials are invalid')
    }
    const [type, id] = [form.get('box_subject_type'), form.get('box_subject_id')]
    if (type !== 'enterprise' || id !== enterpriseId) {
      throw new TokenError('invalid_grant', 'Grant credentials are invalid')
    }
    const token = randomBytes(24).toString('base64url')
    this.#live.set(token, { user: `${type} ${id}`, until: Date.now() + this.#seconds * 1000 })
    return {
      access_token: token,
      expires_in: this.#seconds,
      restricted_to: [],
      token_type: 'bearer',
    }
  }

  /** Throws for a token that is unknown or expired. */
  userOf(authorization: string | undefined): string {
    const live = this.#live.get(tokenOf(authorization))
    if (live === undefined || live.until <= Date.now()) throw unauthorized()
    return live.user
  }

  expire(authorization: string | undefined): void {
    this.#live.delete(tokenOf(authorization))
  }

  clear(): void {
    this.#live.clear()
  }
}

function tokenOf(authorization = ''): string {
  return /^bearer (.+)$/i.exec(authorization)?.[1] ?? ''
}
