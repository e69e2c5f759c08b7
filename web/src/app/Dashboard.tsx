import { screens } from '@guidon/contract/screens'
import Home from '@mui/icons-material/Home'
import Logout from '@mui/icons-material/Logout'
import Settings from '@mui/icons-material/SettingsOutlined'
import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { useSignedInUser } from '../api/current-user.ts'
import { DashboardLayout } from '../ui/DashboardLayout.tsx'
import { DashboardMenu } from '../ui/DashboardMenu.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useLogOut } from './use-log-out.ts'

const entries = [
  { to: screens.home, label: 'Home', icon: <Home aria-hidden /> },
  { to: screens.settings, label: 'Settings', icon: <Settings aria-hidden /> },
]

export function Dashboard() {
  const user = useSignedInUser()
  const { logOut, busy, failure } = useLogOut()
  const menu = (
    <DashboardMenu entries={entries}>
      <button
        type="button"
        aria-disabled={busy}
        aria-busy={busy}
        onClick={busy ? undefined : logOut}
      >
        <Logout aria-hidden />
        Log out
      </button>
    </DashboardMenu>
  )
  return (
    <DashboardLayout menu={menu} person={user}>
      <Notice kind="error">{failure}</Notice>
      <Suspense fallback={<output>Loading…</output>}>
        <Outlet />
      </Suspense>
    </DashboardLayout>
  )
}
