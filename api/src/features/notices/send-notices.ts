import type { Brand } from '@guidon/contract/brand'
import type { NoticeKind } from '@guidon/contract/notices'
import type { Stage } from '@guidon/contract/stages'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { job, work } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queues.ts'
import { isReachable, recordSentToAccount } from '../../mail/deliveries.sql.ts'
import { brandFor } from '../../mail/layout.ts'
import { isNotAccepted, MailRefused } from '../../mail/port.ts'
import type { MailOutcome } from '../../mail/port.ts'
import { EMAIL_CONCURRENCY, EMAIL_JOB_OPTIONS } from '../../mail/send-once.ts'
import type { SendOnce } from '../../mail/send-once.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { EVENTS } from './decide.ts'
import type { NoticeEvent } from './decide.ts'
import { unsubscribeLink } from './link.ts'
import { noticesMessage } from './message.ts'
import { voidNotices } from './notices.sql.ts'
import {
  assumeSent,
  findRecipient,
  markNotSent,
  markSending,
  markSent,
  noticesOfDelivery,
  postponeNotices,
  removeDelivery,
  voidDelivery,
} from './sending.sql.ts'
import type { NoticeRow } from './sending.sql.ts'
import { databaseTime } from './time.ts'
import type { Now } from './time.ts'
import { firstKnownState, isDaytime, nextDaytime, wallClock, zonesOf } from './zones.ts'

export const sendNotices = job({
  name: 'notices.send',
  data: z.object({ deliveryId: z.uuid() }),
  options: EMAIL_JOB_OPTIONS,
  concurrency: EMAIL_CONCURRENCY,
})

export interface SendNoticesParts {
  db: Database
  jobs: Jobs
  tokens: Tokens
  brand: Brand
  stages: readonly Stage[]
  portal: string
  send: SendOnce
}

/**
 * The Message-ID is that of the delivery, so that a second job for the same delivery sends nothing. A notice counts as
 * sent from the moment at which the relay may have its email: if the worker dies then or the response is lost, the same
 * email is sent again with the same Message-ID, or, if it is no longer true, it is assumed to be sent.
 */
export function sendNoticesWork(parts: SendNoticesParts, now: Now = databaseTime) {
  const { db, send } = parts
  return work(sendNotices, async ({ deliveryId }) => {
    try {
      const outcome = await send(deliveryId, async () => {
        const prepared = await prepare(parts, deliveryId, now)
        return typeof prepared === 'string' ? prepared : write(parts, prepared)
      })
      if (outcome === 'sent') await markSent(db, deliveryId, await now(db))
      return outcome
    } catch (error) {
      if (isNotAccepted(error)) await markNotSent(db, deliveryId)
      if (error instanceof MailRefused) await voidDelivery(db, deliveryId, await now(db))
      throw error
    }
  })
}

const idsOf = (notices: readonly { id: string }[]) => notices.map(({ id }) => id)

interface Email {
  userId: string
  to: string
  state: string
  kinds: NoticeKind[]
  notices: NoticeRow[]
}

/** Runs at each try: while the relay is down, the night may begin, or what a notice says may become untrue. */
function prepare(
  { db, jobs }: SendNoticesParts,
  deliveryId: string,
  now: Now,
): Promise<Email | MailOutcome> {
  return db.transaction().execute(async (tx) => {
    const at = await now(tx)
    const recipient = await findRecipient(tx, deliveryId)
    if (!recipient) return 'no-recipient'
    const { userId, email, contactState, signUpState, mayGetNotices } = recipient
    const state = firstKnownState(contactState, signUpState)
    const localTime = wallClock(at, zonesOf(state).at(-1)!)
    const notices = await noticesOfDelivery(tx, deliveryId, EVENTS, { now: at, localTime })
    const isRecipient = mayGetNotices && (await isReachable(tx, userId))
    if (isRecipient && !isDaytime(at, state)) {
      const morning = nextDaytime(at, state)
      // An email that the relay may have keeps its Message-ID, and nothing new is added to it.
      if (notices.some(({ isUncertain }) => isUncertain)) {
        const afterSeconds = Math.ceil((morning.getTime() - at.getTime()) / 1000)
        await jobs.send(sendNotices, { deliveryId }, tx, { afterSeconds })
      } else {
        await postponeNotices(tx, deliveryId, morning)
      }
      return 'postponed'
    }
    const current = notices.filter(({ isTrue }) => isRecipient && isTrue)
    const others = notices.filter((notice) => !current.includes(notice))
    const assumed = others.filter(({ isUncertain }) => isUncertain)
    await voidNotices(tx, idsOf(others.filter(({ isUncertain }) => !isUncertain)), at)
    await assumeSent(tx, idsOf(assumed), at)
    if (current.length > 0) {
      const kinds = kindsOf(current)
      await markSending(tx, deliveryId, kinds, at)
      return { userId, to: email, state: signUpState, kinds, notices: current }
    }
    if (assumed.length > 0) {
      await recordSentToAccount(tx, deliveryId, { userId, kinds: kindsOf(assumed) })
      return 'sent'
    }
    await removeDelivery(tx, deliveryId)
    return isRecipient ? 'superseded' : 'no-recipient'
  })
}

const kindsOf = (notices: readonly { event: NoticeEvent }[]) => [
  ...new Set(notices.map(({ event }) => EVENTS[event])),
]

async function write(parts: SendNoticesParts, { userId, to, state, kinds, notices }: Email) {
  const link = unsubscribeLink(parts.portal, parts.tokens, { userId, kinds })
  const brand = brandFor(parts.brand, state)
  const message = await noticesMessage({ ...parts, brand, link }, notices)
  return { to, message, about: { userId, kinds } }
}
