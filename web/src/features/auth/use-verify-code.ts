import { verifyLogin, type VerificationType } from '@guidon/contract/auth'
import type { BodyIn } from '@guidon/contract/endpoint'
import { homeOf, screens } from '@guidon/contract/screens'
import { verifyEmail } from '@guidon/contract/sign-up'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import {
  clearPending,
  verificationTypeOf,
  type PendingVerification,
} from './pending-verification.ts'
import { clearSignUpDraft } from './sign-up-draft.ts'

/** Each returns the path of the next screen. */
const verify: Record<VerificationType, (body: BodyIn<typeof verifyLogin>) => Promise<string>> = {
  login: async (body) => {
    const { user, resetToken } = await call(verifyLogin, { body })
    if (resetToken === undefined) return homeOf(user.role)
    return `${screens.resetPassword}?token=${encodeURIComponent(resetToken)}`
  },
  email: async (body) => {
    const { salesforceInfo } = await call(verifyEmail, { body })
    return salesforceInfo.linkedToExistingAccount ? screens.home : screens.getStarted
  },
}

export function useVerifyCode(pending: PendingVerification) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation<string, CallFailure | Error, string>({
    mutationFn: async (code) => verify[verificationTypeOf(pending)]({ email: pending.email, code }),
    onSuccess: (next) => {
      clearPending()
      clearSignUpDraft()
      // The same tab may have shown another account before.
      queryClient.getQueryCache().clear()
      return navigate(next, { replace: true })
    },
  })
}
