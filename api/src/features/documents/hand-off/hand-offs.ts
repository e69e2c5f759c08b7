import { tooManyTries } from '@guidon/contract/auth'
import type { BodyOut, ResponseIn } from '@guidon/contract/endpoint'
import {
  HAND_OFFS_OF_ACCOUNT,
  handOffGone,
  handOffTaken,
  WRONG_HAND_OFFS_FROM_ADDRESS,
} from '@guidon/contract/hand-off'
import type { createHandOff, HandOff, HandOffSlot } from '@guidon/contract/hand-off'
import { LIMIT_WINDOW_MINUTES } from '@guidon/contract/limits'
import { notFound } from '@guidon/contract/refusal'
import { recordEvent } from '../../../db/audit-events.ts'
import type { Database } from '../../../db/database.ts'
import { secondsToWait, take } from '../../../db/limits.ts'
import type { Window } from '../../../db/limits.ts'
import { refuse } from '../../../http/refuse.ts'
import type { Tokens } from '../../../platform/tokens.ts'
import {
  bindPhone,
  deleteHandOff,
  findHandOff,
  findRequestName,
  findSlot,
  insertHandOff,
  isLiveHandOff,
  setPages,
} from './hand-offs.sql.ts'

export interface HandOffs {
  create(
    owner: { userId: string; sessionId: string },
    slot: BodyOut<typeof createHandOff>,
  ): Promise<ResponseIn<typeof createHandOff>>
  find(userId: string, id: string): Promise<HandOff>
  end(userId: string, id: string): Promise<void>
  /** Connects the first phone. Returns the token for its cookie. */
  open(
    given: { token: string; attempt: string },
    phone: { address: string; phoneToken: string | undefined },
  ): Promise<{ phoneToken: string; slot: HandOffSlot }>
  slotOf(phoneToken: string): Promise<HandOffSlot>
  setPages(phoneToken: string, pages: number): Promise<HandOffSlot>
}

interface Parts {
  db: Database
  tokens: Tokens
  addressLimitFactor: number
}

export function handOffs({ db, tokens, addressLimitFactor }: Parts): HandOffs {
  const windowOf = (max: number, ...key: string[]): Window => ({
    key: tokens.hash('limit', key.join('\0')),
    max,
    seconds: LIMIT_WINDOW_MINUTES * 60,
  })
  const takeOrRefuse = async (window: Window) => {
    if (await take(db, window)) return
    const retryAfterSeconds = await secondsToWait(db, [window])
    throw refuse(tooManyTries(retryAfterSeconds), { retryAfterSeconds })
  }
  const phoneHashes = (token: string) => tokens.hashes('phone', token)
  const requireSlot = (slot: HandOffSlot | undefined) => {
    if (!slot) throw refuse(handOffGone)
    return slot
  }

  return {
    create: async ({ userId, sessionId }, { documentType, documentId }) => {
      await takeOrRefuse(windowOf(HAND_OFFS_OF_ACCOUNT, 'hand-offs', userId))
      const request = documentId ? await findRequestName(db, userId, documentId) : { name: null }
      if (!request) throw refuse(notFound)
      const token = tokens.make()
      return db.transaction().execute(async (tx) => {
        const created = await insertHandOff(tx, {
          userId,
          sessionId,
          tokenHash: tokens.hash('hand-off', token),
          documentType,
          requestId: documentId,
          requestName: request.name,
        })
        await recordEvent(tx, { event: 'hand_off_created', actorId: userId, subjectId: userId })
        return { ...created, token }
      })
    },

    find: async (userId, id) => {
      const found = await findHandOff(db, userId, id)
      if (!found) throw refuse(notFound)
      return found
    },

    end: (userId, id) => deleteHandOff(db, userId, id),

    open: async ({ token, attempt }, { address, phoneToken: known }) => {
      // The same for a repeated attempt, whose first response was lost.
      const phoneToken = tokens.derive(`phone\0${token}\0${attempt}`)
      const tokenHashes = tokens.hashes('hand-off', token)
      const bound = await db.transaction().execute(async (tx) => {
        const slot = await bindPhone(tx, {
          tokenHashes,
          phoneHash: tokens.hash('phone', phoneToken),
          phoneHashes: [...phoneHashes(phoneToken), ...(known ? phoneHashes(known) : [])],
        })
        if (slot?.isFirst)
          await recordEvent(tx, { event: 'hand_off_opened', subjectId: slot.userId })
        return slot
      })
      if (bound) return { phoneToken, slot: bound }
      if (await isLiveHandOff(db, tokenHashes)) throw refuse(handOffTaken)
      // Only now: many phones share the address of their network, and nobody can guess 256 bits.
      const wrong = WRONG_HAND_OFFS_FROM_ADDRESS * addressLimitFactor
      await takeOrRefuse(windowOf(wrong, 'hand-offs from', address))
      throw refuse(handOffGone)
    },

    slotOf: async (phoneToken) => requireSlot(await findSlot(db, phoneHashes(phoneToken))),
    setPages: async (phoneToken, pages) =>
      requireSlot(await setPages(db, phoneHashes(phoneToken), pages)),
  }
}
