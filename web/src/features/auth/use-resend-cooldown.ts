import { RESEND_COOLDOWN_SECONDS } from '@guidon/contract/limits'
import { useEffect, useState } from 'react'
import { secondsUntil } from '../../ui/countdown.ts'
import { readResendAt, storeResendAt } from './pending-verification.ts'

function startCooldown(now: number, seconds: number): number {
  const time = now + seconds * 1000
  storeResendAt(time)
  return time
}

/** Seconds until a code may be requested again. */
export function useResendCooldown() {
  const [now, setNow] = useState(Date.now)
  // From the same reading of the clock: a later one would show a second too much.
  const [resendAt, setResendAt] = useState(
    () => readResendAt() ?? startCooldown(now, RESEND_COOLDOWN_SECONDS),
  )
  const secondsLeft = secondsUntil(resendAt, now)
  const waiting = secondsLeft > 0

  useEffect(() => {
    if (!waiting) return
    // Reads the clock on every tick, so that time asleep counts.
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [waiting])

  function restart(seconds = RESEND_COOLDOWN_SECONDS): void {
    const restartedAt = Date.now()
    setNow(restartedAt)
    setResendAt(startCooldown(restartedAt, seconds))
  }
  return { secondsLeft, restart }
}
