import { noticeLinkToken } from '@guidon/contract/notices'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

const STATE_KEY = 'noticeToken'

/**
 * The token of the link in an email; undefined if it is missing or malformed. It moves from the address to the entry
 * of the history, so that neither a reload nor Back loses it, and nobody can read it in the address.
 */
export function useLinkToken(): string | undefined {
  const { search } = useLocation()
  const [token] = useState(() => {
    const given = new URLSearchParams(search).get('token') ?? stored()
    return noticeLinkToken.safeParse(given).data
  })
  useEffect(() => {
    history.replaceState({ ...stateOfEntry(), [STATE_KEY]: token }, '', location.pathname)
  }, [token])
  return token
}

// The router keeps its own fields in the same object.
const stateOfEntry = () => (history.state ?? {}) as Record<string, unknown>
const stored = (): unknown => stateOfEntry()[STATE_KEY]
