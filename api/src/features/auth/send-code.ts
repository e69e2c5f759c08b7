import type { Brand } from '@guidon/contract/brand'
import { CODE_DIGITS } from '@guidon/contract/limits'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import type { SendOnce } from '../../mail/send-once.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { findCodeOutcome, keepOpenForCode, setCode } from './challenges.sql.ts'
import { accountExists } from './messages/account-exists.ts'
import { signInCode } from './messages/sign-in-code.ts'
import { verificationCode } from './messages/verification-code.ts'

/** Names the code by its challenge and number: addresses and digits never enter the queue. */
export const sendCode = job({
  name: 'auth.send-code',
  data: z.object({ challengeId: z.uuid(), send: z.int().positive() }),
  // Every 15 seconds for longer than a challenge lives, so that it ends as sent or visibly as expired.
  options: { retryLimit: 150, retryDelay: 2, retryDelayMax: 15, expireInSeconds: 120 },
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
    const outcome = await send(id, async () => {
      const recipient = await setCode(db, { challengeId, send: number, hashes })
      if (!recipient) return findCodeOutcome(db, { challengeId, send: number })
      const { email, purpose, decoy, hash } = recipient
      if (decoy) return { to: email, message: await accountExists(brand, portal) }
      const code = codes.find((_, key) => hash?.equals(hashes[key]!)) ?? ''
      const compose = purpose === 'email' ? verificationCode : signInCode
      return { to: email, message: await compose(brand, code) }
    })
    if (outcome === 'sent') await keepOpenForCode(db, challengeId)
    return outcome
  })
}
