import { styled } from '@mui/material/styles'
import { GetStartedPage } from '../features/intake/GetStartedPage.tsx'
import { Notice } from '../ui/Notice.tsx'
import { AccountBar } from './AccountBar.tsx'
import { useLogOut } from './use-log-out.ts'

// Nobody logs out on paper.
const OnScreen = styled('div')({
  display: 'contents',
  '@media print': { display: 'none' },
})

export function GetStarted() {
  const { logOut, busy, failure } = useLogOut()
  return (
    <GetStartedPage
      account={
        <OnScreen>
          <AccountBar logOut={logOut} busy={busy} />
        </OnScreen>
      }
      notice={<Notice kind="error">{failure}</Notice>}
    />
  )
}
