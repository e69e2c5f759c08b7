import { GetStartedPage } from '../features/intake/GetStartedPage.tsx'
import { Notice } from '../ui/Notice.tsx'
import { AccountBar } from './AccountBar.tsx'
import { useLogOut } from './use-log-out.ts'

export function GetStarted() {
  const { logOut, busy, failure } = useLogOut()
  return (
    <GetStartedPage
      account={<AccountBar logOut={logOut} busy={busy} />}
      notice={<Notice kind="error">{failure}</Notice>}
    />
  )
}
