import { setTimeout as delay } from 'node:timers/promises'
import type { Links } from '../../crm/links/links.ts'
import { findContactsByEmail } from '../../crm/mirror/contacts.sql.ts'
import { findLink, mayLackContact } from '../../crm/mirror/freshness.sql.ts'
import type { Database, Tx } from '../../db/database.ts'
import { findForCrm, lockAccount } from '../../db/users.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Calls } from '../feature.ts'
import { findContact } from './find-contact.ts'

const CHECK_EVERY_MS = 150
/** Further sign-ups do not wait, so that the checks of those that wait take few of the pool's connections. */
const MAX_WAITING = 30

export interface SignUpLinkParts {
  db: Database
  jobs: Jobs
  links: Pick<Links, 'answer'>
  onSignedIn: Calls['onSignedIn']
  /** 0: the CRM is never asked. */
  waitSeconds: number
}

/**
 * Links a verified sign-up to a contact that the mirror does not have yet. The worker asks the CRM, because the API
 * has no access to it. Until the worker or the API has decided, the account has neither a contact nor an
 * outbox entry.
 */
export function signUpLink(parts: SignUpLinkParts): Pick<Calls, 'onSignedUp' | 'waitForLink'> {
  const { db, jobs, links, onSignedIn, waitSeconds } = parts
  let waiting = 0

  const isInMirror = async (tx: Tx, userId: string) => {
    const person = await findForCrm(tx, userId)
    if (!person) return true
    for (const contact of await findContactsByEmail(tx, person.email)) {
      if ((await links.answer(tx, userId, contact)).answer === 'yes') return true
    }
    return false
  }

  const waitForDecision = async (userId: string) => {
    const end = performance.now() + waitSeconds * 1000
    while (performance.now() < end) {
      await delay(CHECK_EVERY_MS)
      const linked = await findLink(db, userId)
      if (linked !== undefined) return linked
    }
    return undefined
  }

  const linkFromMirror = (userId: string) =>
    db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, userId)
      return account ? onSignedIn(tx, { userId, role: account.role }) : false
    })

  return {
    onSignedUp: async (tx, user) => {
      const { userId } = user
      const mustSearchCrm =
        waitSeconds > 0 && (await mayLackContact(tx, userId)) && !(await isInMirror(tx, userId))
      if (!mustSearchCrm) return onSignedIn(tx, user)
      await jobs.send(findContact, { userId }, tx)
      return 'pending'
    },
    waitForLink: async (userId) => {
      if (waiting >= MAX_WAITING) return linkFromMirror(userId)
      waiting += 1
      try {
        return (await waitForDecision(userId)) ?? (await linkFromMirror(userId))
      } finally {
        waiting -= 1
      }
    },
  }
}
