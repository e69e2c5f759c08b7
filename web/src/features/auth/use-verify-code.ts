import { verifyLogin } from '@guidon/contract/auth'
import { homeOf } from '@guidon/contract/screens'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { currentUserQuery } from '../../api/current-user.ts'
import { clearPending, INVALID_TYPE, type PendingVerification } from './pending-verification.ts'

export function useVerifyCode({ email, type }: PendingVerification) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation<string, CallFailure | Error, string>({
    mutationFn: async (code) => {
      if (type !== 'login') throw new Error(INVALID_TYPE)
      const { user } = await call(verifyLogin, { body: { email, code } })
      return homeOf(user.role)
    },
    onSuccess: (home) => {
      clearPending()
      queryClient.removeQueries({ queryKey: currentUserQuery.queryKey })
      return navigate(home, { replace: true })
    },
  })
}
