import type { HandOffState } from '@guidon/contract/hand-off'

/** What the phone does, for the user at the computer. Undefined if it can do nothing more. */
export function progressText(state: HandOffState, pages: number): string | undefined {
  switch (state) {
    case 'waiting':
      return 'Waiting for your phone.'
    case 'connected':
      return pages === 0
        ? 'Your phone is connected. Take the photos there.'
        : `Your phone is connected. It has ${pages === 1 ? '1 photo' : `${pages} photos`}.`
    case 'sending':
      return 'Your phone is sending the document.'
    case 'arrived':
      return 'Your document has arrived.'
    case 'expired':
      return undefined
  }
}
