import type { Brand } from '@guidon/contract/brand'
import { CODE_DIGITS } from '@guidon/contract/limits'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import { brandFor } from '../../mail/layout.ts'
import { EMAIL_CONCURRENCY } from '../../mail/send-once.ts'
import type { SendOnce } from '../../mail/send-once.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { findCodeOutcome, extendForCode, setCode } from './challenges.sql.ts'
import { accountExists } from './messages/account-exists.ts'
import { signInCode } from './messages/sign-in-code.ts'
import { verificationCode } from './messages/verification-code.ts'

/** Contains the challenge and the code's number, so that no address and no code is stored in the queue. */
export const sendCode = job({
  name: 'auth.send-code',
  data: z.object({ challengeId: z.uuid(), send: z.int().positive() }),
  // Retries for longer than a challenge is valid, so that the job ends as sent or as expired.
  options: { retryLimit: 150, retryDelay: 2, retryDelayMax: 15, expireInSeconds: 120 },
  concurrency: EMAIL_CONCURRENCY,
})

export interface CodeParts {
  db: Database
  tokens: Tokens
  brand: Brand
  portal: string
  send: SendOnce
}

/** The text to hash. It contains the challenge, so that equal codes have different hashes. */
export const boundCode = (challengeId: string, code: string): string => `${challengeId}:${code}`

/** The code is derived, not random, so that a job that is delivered twice sends the same code; see docs/decisions/0003. */
export function sendCodeWork({ db, tokens, brand, portal, send }: CodeParts) {
  return work(sendCode, async ({ challengeId, send: sendNumber }, { id }) => {
    // One code for each key: after a key change, a retry sends the code that the first delivery stored.
    const codes = tokens.digits(`${challengeId}:${sendNumber}`, CODE_DIGITS)
    const hashes = codes.map(
      (digits, key) => tokens.hashes('code', boundCode(challengeId, digits))[key]!,
    )
    const outcome = await send(id, async () => {
      const recipient = await setCode(db, { challengeId, send: sendNumber, hashes })
      if (!recipient) return findCodeOutcome(db, { challengeId, send: sendNumber })
      const { email, state, purpose, decoy, hash, userId } = recipient
      const ownBrand = brandFor(brand, state)
      if (decoy) return { to: email, message: await accountExists(ownBrand, portal) }
      const code = codes.find((_, key) => hash?.equals(hashes[key]!)) ?? ''
      const compose = purpose === 'email' ? verificationCode : signInCode
      const about = userId ? { userId, kinds: ['code'] as const } : undefined
      return { to: email, message: await compose(ownBrand, code), about }
    })
    if (outcome === 'sent') await extendForCode(db, challengeId)
    return outcome
  })
}
