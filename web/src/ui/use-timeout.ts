import { useEffect, useEffectEvent } from 'react'

/** Runs the action once `active` has been true for that long. */
export function useTimeout(seconds: number, active: boolean, action: () => void): void {
  const run = useEffectEvent(action)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => run(), seconds * 1000)
    return () => clearTimeout(timer)
  }, [seconds, active])
}
