import { BoxCcgAuth } from 'box-node-sdk'
import type { NetworkSession } from 'box-node-sdk/networking'

type Token = Awaited<ReturnType<BoxCcgAuth['refreshToken']>>

/** Box's own client credentials; many calls that need a token at once ask for one together. */
export class SharedAuth extends BoxCcgAuth {
  #asking: Promise<Token> | undefined

  override async refreshToken(session?: NetworkSession): Promise<Token> {
    this.#asking ??= super.refreshToken(session).finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  /** Unless another call has brought a newer one meanwhile. */
  async forget(authorization: string): Promise<void> {
    const token = await this.tokenStorage.get()
    if (authorization === `Bearer ${token?.accessToken}`) await this.tokenStorage.clear()
  }
}
