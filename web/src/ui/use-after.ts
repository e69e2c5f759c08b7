import { useEffect, useEffectEvent } from 'react'

/** Does it once `since` has been true for that long; not at all when that ends sooner. */
export function useAfter(seconds: number, since: boolean, action: () => void): void {
  const act = useEffectEvent(action)
  useEffect(() => {
    if (!since) return
    const timer = setTimeout(() => act(), seconds * 1000)
    return () => clearTimeout(timer)
  }, [seconds, since])
}
