import { BoxCcgAuth } from 'box-node-sdk'
import type { NetworkSession } from 'box-node-sdk/networking'

type Token = Awaited<ReturnType<BoxCcgAuth['refreshToken']>>

/** Calls that need a token at the same time share one request for it. */
export class SharedAuth extends BoxCcgAuth {
  #pending: Promise<Token> | undefined

  override async refreshToken(session?: NetworkSession): Promise<Token> {
    this.#pending ??= super.refreshToken(session).finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  /** Keeps a newer token that another call has fetched in the meantime. */
  async forget(authorization: string): Promise<void> {
    const token = await this.tokenStorage.get()
    if (authorization === `Bearer ${token?.accessToken}`) await this.tokenStorage.clear()
  }
}
