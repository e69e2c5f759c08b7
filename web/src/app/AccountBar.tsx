import Logout from '@mui/icons-material/Logout'
import Typography from '@mui/material/Typography'
import { useSignedInUser } from '../api/current-user.ts'
import { BreakAfterAt } from '../ui/BreakAfterAt.tsx'
import { BusyButton } from '../ui/BusyButton.tsx'

/** The signed-in user's email and the Log out button, for screens without the dashboard's menu. */
export function AccountBar({ logOut, busy }: { logOut: () => void; busy: boolean }) {
  const { email } = useSignedInUser()
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        <BreakAfterAt>{email}</BreakAfterAt>
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
}
