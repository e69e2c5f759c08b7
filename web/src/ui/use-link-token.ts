import { useEffect, useState } from 'react'
import { useLocation, type Location } from 'react-router'
import type * as z from 'zod/mini'

const STATE_KEY = 'linkToken'

/**
 * The token of the link in an email; undefined if it is missing or malformed. It moves from the address to the entry
 * of the history, so that neither a reload nor Back loses it, and nobody can read it in the address.
 */
export function useLinkToken(
  rule: z.ZodMiniType<string>,
  tokenIn: (address: Location) => string | null,
): string | undefined {
  const address = useLocation()
  const [token] = useState(() => rule.safeParse(tokenIn(address) ?? stored()).data)
  useEffect(() => {
    history.replaceState({ ...stateOfEntry(), [STATE_KEY]: token }, '', location.pathname)
  }, [token])
  return token
}

// The router keeps its own fields in the same object.
const stateOfEntry = () => (history.state ?? {}) as Record<string, unknown>
const stored = (): unknown => stateOfEntry()[STATE_KEY]
