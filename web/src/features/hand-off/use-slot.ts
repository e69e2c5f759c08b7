import { getSlot, handOffToken, openHandOff } from '@guidon/contract/hand-off'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'

const KEY = ['slot']

/** Opens the code in the fragment of the address. After a reload, the phone is known by its cookie. */
export function useSlot() {
  // Removed from the address and the history at once, and kept in no other place.
  const [token] = useState(() => handOffToken.safeParse(location.hash.slice(1)).data)
  const [attempt] = useState(randomToken)
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  return useQuery({
    queryKey: KEY,
    queryFn: () => (token ? call(openHandOff, { body: { token, attempt } }) : call(getSlot)),
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
