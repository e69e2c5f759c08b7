import { resendVerificationCode, verificationType } from '@guidon/contract/auth'
import { RESEND_BANNER_SECONDS } from '@guidon/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { INVALID_TYPE, type PendingVerification } from './pending-verification.ts'
import { useResendCooldown } from './use-resend-cooldown.ts'

export function useResendCode({ email, type }: PendingVerification) {
  const { secondsLeft, restart } = useResendCooldown()
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      const known = verificationType.safeParse(type)
      if (!known.success) throw new Error(INVALID_TYPE)
      return call(resendVerificationCode, { body: { email, verificationType: known.data } })
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
    failure: error?.message,
  }
}
