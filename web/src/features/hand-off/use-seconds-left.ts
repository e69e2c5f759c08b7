import { useEffect, useState } from 'react'
import { secondsUntil } from '../../ui/countdown.ts'

/** Reads the clock on every tick, so that time asleep counts. */
export function useSecondsLeft(endsAt: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return secondsUntil(endsAt, now)
}
