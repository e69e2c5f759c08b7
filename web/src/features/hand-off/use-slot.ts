import {
  getSlot,
  HAND_OFF_POLL_SECONDS,
  handOffToken,
  openHandOff,
  type HandOffSlot,
} from '@guidon/contract/hand-off'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'

const KEY = ['slot']

/** `endsAt`: by the clock of this phone. */
export type Slot = ReturnType<typeof withEnd>

export const withEnd = (slot: HandOffSlot) => ({
  ...slot,
  endsAt: Date.now() + slot.secondsLeft * 1000,
})

/** Opens the code in the fragment of the address. After a reload, the phone is known by its cookie. */
export function useSlot() {
  // Removed from the address and the history at once, and kept in no other place.
  const [token] = useState(() => handOffToken.safeParse(location.hash.slice(1)).data)
  // The same in every retry, so that the server knows this phone again if its response was lost.
  const [attempt] = useState(randomToken)
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  useEffect(() => {
    // Another code was scanned in the same tab.
    const open = () => handOffToken.safeParse(location.hash.slice(1)).success && location.reload()
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])
  return useQuery({
    queryKey: KEY,
    queryFn: async () =>
      withEnd(await (token ? call(openHandOff, { body: { token, attempt } }) : call(getSlot))),
    // After a reload while the file is received.
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'sending' ? HAND_OFF_POLL_SECONDS * 1000 : false,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}

/** 256 bits in base64url. */
function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
