import Logout from '@mui/icons-material/Logout'
import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { useSignedInUser } from '../api/current-user.ts'
import { SendUnsentIntake } from '../features/intake/SendUnsentIntake.tsx'
import { DashboardLayout } from '../ui/DashboardLayout.tsx'
import { DashboardMenu } from '../ui/DashboardMenu.tsx'
import { Notice } from '../ui/Notice.tsx'
import { menuFor, type RoleEntry } from './menu.tsx'
import { useLogOut } from './use-log-out.ts'

export function Dashboard({ entries }: { entries: readonly RoleEntry[] }) {
  const user = useSignedInUser()
  const { logOut, busy, failure } = useLogOut()
  const menu = (
    <DashboardMenu entries={menuFor(user.role, entries)}>
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
      <SendUnsentIntake />
      <Suspense fallback={<output>Loading…</output>}>
        <Outlet />
      </Suspense>
    </DashboardLayout>
  )
}
