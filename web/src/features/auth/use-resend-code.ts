import { resendVerificationCode } from '@guidon/contract/auth'
import { RESEND_BANNER_SECONDS } from '@guidon/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { verificationTypeOf, type PendingVerification } from './pending-verification.ts'
import { useResendCooldown } from './use-resend-cooldown.ts'

export function useResendCode(pending: PendingVerification) {
  const { secondsLeft, restart } = useResendCooldown()
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      const body = { email: pending.email, verificationType: verificationTypeOf(pending) }
      return call(resendVerificationCode, { body })
    },
    onSuccess: () => restart(),
    onError: (failure) => {
      const wait = failure instanceof CallFailure ? failure.retryAfterSeconds : undefined
      if (wait !== undefined) restart(wait)
    },
  })

  useEffect(() => {
    if (!isSuccess) return
    const timer = setTimeout(reset, RESEND_BANNER_SECONDS * 1000)
    return () => clearTimeout(timer)
  }, [isSuccess, reset])

  return {
    secondsLeft,
    resend: () => mutate(),
    busy: isPending,
    sent: isSuccess,
    failure: error,
  }
}
