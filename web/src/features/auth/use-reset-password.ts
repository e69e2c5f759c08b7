import type { BodyIn } from '@guidon/contract/endpoint'
import { resetLinkVoid, resetPassword } from '@guidon/contract/password'
import { screens } from '@guidon/contract/screens'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { clearResetToken } from './use-reset-token.ts'

export function useResetPassword() {
  const navigate = useNavigate()
  const { mutate, isPending, isSuccess, error } = useMutation<
    undefined,
    CallFailure,
    BodyIn<typeof resetPassword>
  >({
    mutationFn: (body) => call(resetPassword, { body }),
    onSuccess: () => {
      clearResetToken()
      return navigate(screens.resetPasswordSuccess, { replace: true })
    },
    onError: ({ code }) => {
      if (code === resetLinkVoid.code) clearResetToken()
    },
  })
  return { reset: mutate, busy: isPending || isSuccess, failure: error }
}
