import type { AcceptedText } from '@guidon/contract/consents'
import { requiredConsents, shownText } from '@guidon/contract/legal'
import { sha256Of } from '../../api/sha256.ts'
import { brand } from '../../ui/brand.ts'

/**
 * Hashes of the texts that this page shows to a veteran of this state. The server's texts may have changed since the
 * page was loaded. Undefined if the browser cannot hash.
 */
export async function shownConsents(state: string): Promise<AcceptedText[] | undefined> {
  // Browsers have `crypto.subtle` only on https and on localhost.
  if (!('subtle' in crypto)) return undefined
  return Promise.all(
    requiredConsents(brand.legal, state).map(async (consent) => ({
      kind: consent.kind,
      hash: await sha256Of(new Blob([shownText(consent)])),
    })),
  )
}
