import type { ComponentType } from 'react'
import type { AccountProps } from '../ui/feature.ts'
import { AccountBar } from './AccountBar.tsx'
import { LogOutFailure } from './LogOutFailure.tsx'
import { useLogOut } from './use-log-out.ts'

/** For screens that draw their own layout, with the account bar in its header. */
export function withAccount(Screen: ComponentType<AccountProps>): ComponentType {
  return function ScreenWithAccount() {
    const { logOut, busy, error } = useLogOut()
    return (
      <Screen
        account={<AccountBar logOut={logOut} busy={busy} />}
        notice={<LogOutFailure error={error} />}
      />
    )
  }
}
