import type { BodyIn } from '@guidon/contract/endpoint'
import { resetPassword } from '@guidon/contract/password'
import { screens } from '@guidon/contract/screens'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'

export function useResetPassword() {
  const navigate = useNavigate()
  const { mutate, isPending, isSuccess, error } = useMutation<
    undefined,
    CallFailure,
    BodyIn<typeof resetPassword>
  >({
    mutationFn: (body) => call(resetPassword, { body }),
    onSuccess: () => navigate(screens.resetPasswordSuccess, { replace: true }),
  })
  return { reset: mutate, busy: isPending || isSuccess, failure: error }
}
