import type { SignedInUser } from '@guidon/contract/account'
import { logout } from '@guidon/contract/auth'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { findSignedInUser } from '../../api/current-user.ts'
import { postToTabs } from '../../api/tab-channel.ts'

/** The user who is still signed in in this browser. Checked when the page opens, and when it is shown again. */
export function useOpenSession() {
  const [user, setUser] = useState<SignedInUser>()
  /** Number of the latest check; a check with a smaller number is outdated, and its result is ignored. */
  const lastCheck = useRef(0)

  useEffect(() => {
    async function check(): Promise<void> {
      const number = (lastCheck.current += 1)
      const found = await findSignedInUser()
      if (number === lastCheck.current) setUser(found)
    }
    function onVisible(): void {
      if (document.visibilityState === 'visible') void check()
    }
    function onPageShow({ persisted }: PageTransitionEvent): void {
      if (persisted) void check()
    }
    void check()
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('pageshow', onPageShow)
    return () => {
      lastCheck.current += 1
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('pageshow', onPageShow)
    }
  }, [])

  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => call(logout),
    onSuccess: () => {
      lastCheck.current += 1
      setUser(undefined)
      postToTabs({ kind: 'left' })
    },
  })
  return {
    user,
    logOut: () => mutate(),
    busy: isPending,
    loggedOut: isSuccess && user === undefined,
    failure: error,
  }
}
