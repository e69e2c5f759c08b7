import { RESEND_COOLDOWN_SECONDS } from '@guidon/contract/limits'
import { useEffect, useState } from 'react'
import { secondsUntil } from '../../ui/countdown.ts'
import { readResendAt, storeResendAt } from './pending-verification.ts'

function startCooldown(seconds: number): number {
  const time = Date.now() + seconds * 1000
  storeResendAt(time)
  return time
}

/** Seconds until a code may be requested again. */
export function useResendCooldown() {
  const [resendAt, setResendAt] = useState(
    () => readResendAt() ?? startCooldown(RESEND_COOLDOWN_SECONDS),
  )
  const [now, setNow] = useState(Date.now)
  const secondsLeft = secondsUntil(resendAt, now)
  const waiting = secondsLeft > 0

  useEffect(() => {
    if (!waiting) return
    // Reads the clock on every tick, so that time asleep counts.
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [waiting])

  function restart(seconds = RESEND_COOLDOWN_SECONDS): void {
    setNow(Date.now())
    setResendAt(startCooldown(seconds))
  }
  return { secondsLeft, restart }
}
