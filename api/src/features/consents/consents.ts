import { tooManyTries } from '@guidon/contract/auth'
import { consentChanged } from '@guidon/contract/consents'
import type { AcceptedText, AskedConsent, GivenConsent } from '@guidon/contract/consents'
import { requiredConsents } from '@guidon/contract/legal'
import type { ConsentText, Legal } from '@guidon/contract/legal'
import { OPTIONAL_CONSENTS_A_DAY } from '@guidon/contract/limits'
import { notFound } from '@guidon/contract/refusal'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import { lockUser } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import { consentHash, isAcceptedText } from '../../platform/consent-hash.ts'
import {
  clearConsentsDue,
  currentConsents,
  givenConsents,
  recordConsents,
  secondsOverLimit,
  signUpOf,
  withdrawConsentOf,
} from './consents.sql.ts'
import type { CurrentConsent } from './consents.sql.ts'

export interface Consents {
  of(
    userId: string,
  ): Promise<{ due: AskedConsent[]; optional: AskedConsent[]; given: GivenConsent[] }>
  /** Refuses a text that is not the current one, because it may have changed while the screen was open. */
  accept(userId: string, accepted: readonly AcceptedText[]): Promise<void>
  /** May be repeated, because the response to the first request may have been lost. */
  withdraw(userId: string, kind: string): Promise<void>
}

const isGiven = (given: readonly CurrentConsent[], consent: ConsentText) =>
  given.some(
    ({ kind, version, hash }) =>
      kind === consent.kind && version === consent.version && hash.equals(consentHash(consent)),
  )

/**
 * The required texts that the account has not accepted in their current form. Nothing is due for an account that an
 * operator created, who is responsible for its agreement.
 */
export async function dueConsents(
  db: Queryable,
  userId: string,
  legal: Legal,
): Promise<ConsentText[]> {
  return dueOf(db, userId, legal, await currentConsents(db, userId))
}

async function dueOf(
  db: Queryable,
  userId: string,
  legal: Legal,
  given: readonly CurrentConsent[],
): Promise<ConsentText[]> {
  const { state, signedUpAt } = await signUpOf(db, userId)
  if (!signedUpAt) return []
  return requiredConsents(legal, state).filter((consent) => !isGiven(given, consent))
}

const toAskedConsent = (consent: ConsentText): AskedConsent => ({
  ...consent,
  hash: consentHash(consent).toString('hex'),
})

export function consents(db: Database, legal: Legal): Consents {
  const optional = legal.consents.filter((consent) => consent.optional)
  const isOptional = (kind: string) => optional.some((consent) => consent.kind === kind)

  /** Limited, because each acceptance adds a row, an audit event and a line in Settings. */
  async function limitOptional(tx: Tx, userId: string): Promise<void> {
    const kinds = optional.map(({ kind }) => kind)
    const retryAfterSeconds = await secondsOverLimit(tx, userId, kinds, OPTIONAL_CONSENTS_A_DAY)
    if (retryAfterSeconds > 0) throw refuse(tooManyTries(retryAfterSeconds), { retryAfterSeconds })
  }

  return {
    of: async (userId) => {
      const current = await currentConsents(db, userId)
      const given = await givenConsents(db, userId)
      const due = await dueOf(db, userId, legal, current)
      // The provider may have reverted a changed text since the sign-in.
      if (due.length === 0) await clearConsentsDue(db, userId)
      return {
        due: due.map(toAskedConsent),
        optional: optional.filter((consent) => !isGiven(current, consent)).map(toAskedConsent),
        given: given.map((row) =>
          Object.assign(row, {
            mayWithdraw: isOptional(row.kind) && !row.withdrawnAt && !row.replacedAt,
          }),
        ),
      }
    },

    accept: (userId, accepted) =>
      db.transaction().execute(async (tx) => {
        // Serializes two clicks at the same time.
        await lockUser(tx, userId)
        const { state } = await signUpOf(tx, userId)
        const offered = [...requiredConsents(legal, state), ...optional]
        const found = accepted.map((text) => {
          const consent = offered.find((other) => isAcceptedText(other, [text]))
          if (!consent) throw refuse(consentChanged)
          return consent
        })
        const kinds = await recordConsents(tx, userId, found)
        if (kinds.some(isOptional)) await limitOptional(tx, userId)
        if (kinds.length > 0) {
          await recordEvent(tx, {
            event: 'consents_accepted',
            actorId: userId,
            subjectId: userId,
            details: { kinds: kinds.join(' ') },
          })
        }
        if ((await dueConsents(tx, userId, legal)).length === 0) await clearConsentsDue(tx, userId)
      }),

    withdraw: async (userId, kind) => {
      if (!isOptional(kind)) throw refuse(notFound)
      await db.transaction().execute(async (tx) => {
        if (!(await withdrawConsentOf(tx, userId, kind))) return
        await recordEvent(tx, {
          event: 'consent_withdrawn',
          actorId: userId,
          subjectId: userId,
          details: { kind },
        })
      })
    },
  }
}
