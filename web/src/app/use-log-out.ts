import { logout } from '@guidon/contract/auth'
import { screens } from '@guidon/contract/screens'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { runTasksBeforeLogOut } from '../api/before-log-out.ts'
import { call } from '../api/call.ts'
import { postToTabs } from '../api/tab-channel.ts'
import { useUploads } from '../features/documents/upload/uploads.ts'

/** Does not clear the cache, because that would empty the screen that is still shown: /signin clears it. */
export function useLogOut() {
  const navigate = useNavigate()
  const { beforeLogOut } = useUploads()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      await runTasksBeforeLogOut()
      await call(logout)
    },
    onSuccess: () => {
      postToTabs({ kind: 'left' })
      return navigate(screens.signIn, { replace: true })
    },
  })
  return {
    logOut: () => beforeLogOut(() => mutate()),
    busy: isPending || isSuccess,
    error,
  }
}
