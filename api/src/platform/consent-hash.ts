import { createHash } from 'node:crypto'
import type { AcceptedText } from '@guidon/contract/consents'
import { shownText } from '@guidon/contract/legal'
import type { ConsentText } from '@guidon/contract/legal'

export const consentHash = (consent: ConsentText): Buffer =>
  createHash('sha256').update(shownText(consent)).digest()

/** Whether this text was accepted as it is now. */
export const isAcceptedText = (consent: ConsentText, accepted: readonly AcceptedText[]): boolean =>
  accepted.some(
    ({ kind, hash }) => kind === consent.kind && hash === consentHash(consent).toString('hex'),
  )
