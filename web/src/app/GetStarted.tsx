import { GetStartedPage } from '../features/intake/GetStartedPage.tsx'
import { CardLayout } from '../ui/CardLayout.tsx'
import { Notice } from '../ui/Notice.tsx'
import { AccountBar } from './AccountBar.tsx'
import { useLogOut } from './use-log-out.ts'

export function GetStarted() {
  const { logOut, busy, failure } = useLogOut()
  return (
    <CardLayout account={<AccountBar logOut={logOut} busy={busy} />}>
      <Notice kind="error">{failure}</Notice>
      <GetStartedPage />
    </CardLayout>
  )
}
