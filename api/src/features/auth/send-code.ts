import type { Brand } from '@guidon/contract/brand'
import { CODE_DIGITS } from '@guidon/contract/limits'
import { z } from 'zod'
import { setCode } from '../../db/challenges.ts'
import type { Database } from '../../db/database.ts'
import type { Tokens } from '../../http/tokens.ts'
import { job, work } from '../../jobs/job.ts'
import { accountExists } from '../../mail/messages/account-exists.ts'
import { signInCode } from '../../mail/messages/sign-in-code.ts'
import { verificationCode } from '../../mail/messages/verification-code.ts'
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
  portal: string
  send: SendOnce
}

/** Bound to its challenge, so that equal digits of two people have unequal hashes. */
export const codeOf = (challengeId: string, code: string): string => `${challengeId}:${code}`

/**
 * Derived from the challenge and the key rather than drawn, so that a job delivered twice mails the same
 * digits; see docs/decisions/0003.
 */
export function sendCodeWork({ db, tokens, brand, portal, send }: CodeParts) {
  return work(sendCode, async ({ challengeId, send: number }, { id }) => {
    // Each key has its own digits, hashed with that key; after a change of keys the first delivery's hold.
    const codes = tokens.digits(`${challengeId}:${number}`, CODE_DIGITS)
    const hashes = codes.map(
      (digits, key) => tokens.hashes('code', codeOf(challengeId, digits))[key]!,
    )
    const recipient = await setCode(db, { challengeId, send: number, hashes })
    // A newer code was asked for, or the sign-in is over: this one has nobody to go to.
    if (!recipient) return
    const { email, purpose, decoy, hash } = recipient
    const code = codes.find((_, key) => hash?.equals(hashes[key]!)) ?? ''
    if (decoy) await send(id, email, await accountExists(brand, portal))
    else
      await send(
        id,
        email,
        await (purpose === 'email' ? verificationCode : signInCode)(brand, code),
      )
  })
}
