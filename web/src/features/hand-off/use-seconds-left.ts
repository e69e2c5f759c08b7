import { useEffect, useState } from 'react'

/** Whole seconds. Reads the clock on every tick, so that time asleep counts. */
export function useSecondsLeft(endsAt: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((endsAt - now) / 1000))
}
