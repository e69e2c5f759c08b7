import { login } from '@guidon/contract/auth'
import type { BodyIn } from '@guidon/contract/endpoint'
import { screens } from '@guidon/contract/screens'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { logOutOtherTabs } from '../../api/tab-channel.ts'
import { storePending } from './pending-verification.ts'

export function useSignIn() {
  const navigate = useNavigate()
  const { mutate, isPending, isSuccess, error } = useMutation<
    undefined,
    CallFailure,
    BodyIn<typeof login>
  >({
    mutationFn: (body) => call(login, { body }),
    onSuccess: (_, { email }) => {
      storePending({ email, type: 'signin' })
      logOutOtherTabs()
      return navigate(screens.verificationCode)
    },
  })
  // Still busy after success, while the next screen loads.
  return { signIn: mutate, busy: isPending || isSuccess, failure: error }
}
