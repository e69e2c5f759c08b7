import type { BodyIn } from '@guidon/contract/endpoint'
import { screens } from '@guidon/contract/screens'
import { register } from '@guidon/contract/sign-up'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { logOutOtherTabs } from '../../api/tab-channel.ts'
import { storePending } from './pending-verification.ts'
import { storeSignUpDraft } from './sign-up-draft.ts'

export function useSignUp() {
  const navigate = useNavigate()
  const { mutate, isPending, isSuccess, error } = useMutation<
    undefined,
    CallFailure,
    BodyIn<typeof register>
  >({
    mutationFn: (body) => call(register, { body }),
    onSuccess: (_, person) => {
      storePending({ email: person.email, type: 'signup' })
      storeSignUpDraft(person)
      logOutOtherTabs()
      return navigate(screens.verificationCode)
    },
  })
  // Still busy after success, while the next screen loads.
  return { signUp: mutate, busy: isPending || isSuccess, failure: error }
}
