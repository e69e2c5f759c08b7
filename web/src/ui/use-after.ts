import { useEffect, useEffectEvent } from 'react'

/** Runs the action once `active` has been true for that long. */
export function useAfter(seconds: number, since: boolean, action: () => void): void {
  const act = useEffectEvent(action)
  useEffect(() => {
    if (!since) return
    const timer = setTimeout(() => act(), seconds * 1000)
    return () => clearTimeout(timer)
  }, [seconds, since])
}
