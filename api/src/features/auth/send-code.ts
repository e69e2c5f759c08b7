import type { Brand } from '@guidon/contract/brand'
import { CODE_DIGITS } from '@guidon/contract/limits'
import { z } from 'zod'
import { setCode } from '../../db/challenges.ts'
import type { Database } from '../../db/database.ts'
import type { Tokens } from '../../http/tokens.ts'
import { job, work } from '../../jobs/job.ts'
import { signInCode } from '../../mail/messages/sign-in-code.ts'
import type { SendOnce } from '../../mail/send-once.ts'

/** Names the code by its challenge and number: addresses and digits never enter the queue. */
export const sendCode = job({
  name: 'auth.send-code',
  data: z.object({ challengeId: z.uuid(), send: z.int().positive() }),
  options: { retryLimit: 8, retryDelay: 2, expireInSeconds: 60 },
})

export interface CodeParts {
  db: Database
  tokens: Tokens
  brand: Brand
  send: SendOnce
}

/** Bound to its challenge, so that equal digits of two people have unequal hashes. */
export function codeHash(tokens: Tokens, challengeId: string, code: string): Buffer {
  return tokens.hash('code', `${challengeId}:${code}`)
}

/**
 * Derived from the challenge and the key rather than drawn, so that a job delivered twice mails the same
 * digits; see docs/decisions/0003.
 */
export function sendCodeWork({ db, tokens, brand, send }: CodeParts) {
  return work(sendCode, async ({ challengeId, send: number }, { id }) => {
    const code = tokens.digits(`${challengeId}:${number}`, CODE_DIGITS)
    const recipient = await setCode(db, {
      challengeId,
      send: number,
      hash: codeHash(tokens, challengeId, code),
    })
    // A newer code was asked for, or the sign-in is over: this one has nobody to go to.
    if (!recipient) return
    await send(id, recipient.email, await signInCode(brand, code))
  })
}
