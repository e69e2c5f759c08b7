import Logout from '@mui/icons-material/Logout'
import Typography from '@mui/material/Typography'
import { useSignedInUser } from '../api/current-user.ts'
import { ManageUsersPage } from '../features/manage-users/ManageUsersPage.tsx'
import { AdminLayout } from '../ui/AdminLayout.tsx'
import { BusyButton } from '../ui/BusyButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useLogOut } from './use-log-out.ts'

export function AdminDashboard() {
  const { email } = useSignedInUser()
  const { logOut, busy, failure } = useLogOut()
  const account = (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {email}
      </Typography>
      <BusyButton
        variant="outlined"
        busy={busy}
        onClick={logOut}
        startIcon={<Logout aria-hidden />}
        sx={{ flex: 'none' }}
      >
        Log out
      </BusyButton>
    </>
  )
  return (
    <AdminLayout account={account}>
      <Notice kind="error">{failure}</Notice>
      <ManageUsersPage />
    </AdminLayout>
  )
}
