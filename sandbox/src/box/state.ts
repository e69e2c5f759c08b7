import { BlobStore } from './blobs.ts'
import type { StoredBlob } from './blobs.ts'
import { RateLimit } from './rate-limit.ts'
import { Tokens } from './tokens.ts'
import type { Credentials } from './tokens.ts'
import { Tree } from './tree.ts'

const MB = 1_000_000

/** Box's own limits, unless a test changes them. */
export interface Limits {
  callsPerMinute: number
  uploadsPerMinute: number
  maxDirectUploadBytes: number
  minSessionBytes: number
  partSize: number
  tokenSeconds: number
  now: () => number
}

export const BOX_LIMITS: Limits = {
  callsPerMinute: 1_000,
  uploadsPerMinute: 240,
  maxDirectUploadBytes: 50 * MB,
  minSessionBytes: 20 * MB,
  partSize: 8 * 1024 * 1024,
  tokenSeconds: 3_600,
  now: Date.now,
}

export interface SentPart {
  id: string
  offset: number
  blob: StoredBlob
}

export interface UploadSession {
  id: string
  size: number
  partSize: number
  expiresAt: Date
  /** By offset. */
  parts: Map<number, SentPart>
  /** Where the complete file goes. */
  target: { folderId: string; name: string } | { fileId: string; name: string | undefined }
}

export interface Stats {
  /** Calls by kind, those that failed included. */
  calls: Record<string, number>
  /** New files stored through Box's API. */
  uploads: number
  /** New versions stored through Box's API. */
  versions: number
  rateLimited: number
  /** Calls that an injected fault affected. */
  faulted: number
  /** Held calls and downloads whose client disconnected. */
  abandoned: number
}

export interface LoggedRequest {
  kind: string
  method: string
  /** With the query, as it was sent. */
  url: string
}

const LOGGED_MAX = 20_000

/** As Box reports the space of an account without a limit. */
const UNLIMITED = { amount: -1, used: 0 }

const noStats = (): Stats => ({
  calls: {},
  uploads: 0,
  versions: 0,
  rateLimited: 0,
  faulted: 0,
  abandoned: 0,
})

/** Everything that the sandbox stores. */
export class BoxState {
  readonly tree = new Tree()
  readonly sessions = new Map<string, UploadSession>()
  readonly limits: Limits
  readonly blobs: BlobStore
  readonly tokens: Tokens
  readonly #calls: RateLimit
  readonly #uploads: RateLimit
  stats = noStats()
  /** The newest ones, without those of the control addresses. */
  readonly requests: LoggedRequest[] = []
  space = UNLIMITED

  private constructor(blobs: BlobStore, credentials: Credentials, limits: Limits) {
    this.blobs = blobs
    this.limits = limits
    this.tokens = new Tokens(credentials, limits.tokenSeconds)
    this.#calls = new RateLimit(limits.callsPerMinute, limits.now)
    this.#uploads = new RateLimit(limits.uploadsPerMinute, limits.now)
  }

  static async open(credentials: Credentials, limits: Limits): Promise<BoxState> {
    return new BoxState(await BlobStore.open(), credentials, limits)
  }

  countCall(request: LoggedRequest): void {
    const { kind } = request
    this.requests.push(request)
    if (this.requests.length > LOGGED_MAX) this.requests.shift()
    this.stats.calls[kind] = (this.stats.calls[kind] ?? 0) + 1
  }

  /** Throws when the user has reached a limit. An upload counts as a call, too. */
  checkRate(user: string, isUpload: boolean): void {
    try {
      this.#calls.take(user)
      if (isUpload) this.#uploads.take(user)
    } catch (error) {
      this.stats.rateLimited += 1
      throw error
    }
  }

  /** Returns to the state after a start; tokens become invalid. */
  async reset(): Promise<void> {
    const parts = [...this.sessions.values()].flatMap(({ parts: sent }) =>
      Array.from(sent.values()),
    )
    this.sessions.clear()
    this.tokens.clear()
    this.#calls.clear()
    this.#uploads.clear()
    this.stats = noStats()
    this.requests.length = 0
    this.space = UNLIMITED
    await this.blobs.delete(...this.tree.clear(), ...parts.map(({ blob }) => blob))
  }
}
