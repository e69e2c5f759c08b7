import Logout from '@mui/icons-material/Logout'
import { Suspense, useState } from 'react'
import { Outlet } from 'react-router'
import { useSignedInUser } from '../api/current-user.ts'
import { SendUnsentIntake } from '../features/intake/SendUnsentIntake.tsx'
import { DashboardLayout } from '../ui/DashboardLayout.tsx'
import { DashboardMenu } from '../ui/DashboardMenu.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { LoadingText } from '../ui/LoadingText.tsx'
import { useMenuIsBar } from '../ui/menu-places.ts'
import { LogOutFailure } from './LogOutFailure.tsx'
import { menuFor, type RoleEntry } from './menu.tsx'
import { useLogOut } from './use-log-out.ts'

const EmailUnreachable = lazyPart(
  async () => (await import('../features/notices/EmailUnreachable.tsx')).EmailUnreachable,
)
const LogOutDialog = lazyPart(async () => (await import('./LogOutDialog.tsx')).LogOutDialog)

export function Dashboard({ entries }: { entries: readonly RoleEntry[] }) {
  const user = useSignedInUser()
  const { logOut, busy, error } = useLogOut()
  const [asking, setAsking] = useState(false)
  const asksFirst = useMenuIsBar()
  // A press while `asking` means that the dialog is not shown, as when its code could not be loaded.
  const press = () => (asksFirst && !asking ? setAsking(true) : logOut())
  const menu = (
    <DashboardMenu entries={menuFor(user.role, entries)}>
      <button
        type="button"
        aria-disabled={busy}
        aria-busy={busy}
        onClick={busy ? undefined : press}
      >
        <Logout aria-hidden />
        Log out
      </button>
    </DashboardMenu>
  )
  return (
    <DashboardLayout menu={menu} person={user}>
      <LogOutFailure error={asking ? null : error} />
      <SendUnsentIntake />
      {/* Rendered even when empty: screen readers announce changes inside a live region, not a new one. */}
      <output>{!user.emailReachable && <EmailUnreachable />}</output>
      <Suspense fallback={<LoadingText />}>
        <Outlet />
      </Suspense>
      {asking && (
        <LogOutDialog
          onStay={() => setAsking(false)}
          onLogOut={logOut}
          busy={busy}
          failure={error?.message}
        />
      )}
    </DashboardLayout>
  )
}
