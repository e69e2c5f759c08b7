import {
  createHandOff,
  endHandOff,
  getHandOff,
  getSlot,
  openHandOff,
  reportPages,
} from '@guidon/contract/hand-off'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '../../../http/address-key.ts'
import { bind } from '../../../http/bind.ts'
import type { HandOffs } from './hand-offs.ts'

/** The feature of documents serves `sendFromPhone`, because it receives files. */
export function handOffRoutes(app: FastifyInstance, handOffs: HandOffs): void {
  const cookies = app.guidonCookies
  bind(app, createHandOff, ({ user, sessionId, body }) =>
    handOffs.create({ userId: user.id, sessionId }, body),
  )
  bind(app, getHandOff, ({ user, params }) => handOffs.find(user.id, params.id))
  bind(app, endHandOff, ({ user, params }) => handOffs.end(user.id, params.id))
  bind(app, openHandOff, async ({ body, request, reply }) => {
    const phone = {
      address: addressKey(request.ip),
      phoneToken: cookies.read(request, 'phone'),
    }
    const { phoneToken, slot } = await handOffs.open(body, phone)
    cookies.setPhone(reply, phoneToken)
    return slot
  })
  bind(app, getSlot, ({ phoneToken }) => handOffs.slotOf(phoneToken))
  bind(app, reportPages, ({ phoneToken, body }) => handOffs.setPages(phoneToken, body.pages))
}
