import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { resendVerificationCode, verificationType } from '@guidon/contract/auth'
import { RESEND_BANNER_SECONDS } from '@guidon/contract/limits'
import { call } from '../../api/call.ts'
import type { CallFailure } from '../../api/call-failure.ts'
import type { PendingVerification } from './pending-verification.ts'
import { useResendCooldown } from './use-resend-cooldown.ts'

export function useResendCode({ email, type }: PendingVerification) {
  const { secondsLeft, restart } = useResendCooldown()
  const { mutate, reset, isPending, isSuccess, error } = useMutation<undefined, CallFailure, void>({
    mutationFn: () =>
      call(resendVerificationCode, {
        body: { email, verificationType: verificationType.parse(type) },
      }),
    onSuccess: () => restart(),
    onError: ({ retryAfterSeconds }) => {
      if (retryAfterSeconds !== undefined) restart(retryAfterSeconds)
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
