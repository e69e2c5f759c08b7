import { ManageUsersPage } from '../features/manage-users/ManageUsersPage.tsx'
import { AdminLayout } from '../ui/AdminLayout.tsx'
import { Notice } from '../ui/Notice.tsx'
import { AccountBar } from './AccountBar.tsx'
import { useLogOut } from './use-log-out.ts'

export function AdminDashboard() {
  const { logOut, busy, failure } = useLogOut()
  return (
    <AdminLayout account={<AccountBar logOut={logOut} busy={busy} />}>
      <Notice kind="error">{failure}</Notice>
      <ManageUsersPage />
    </AdminLayout>
  )
}
