import Logout from '@mui/icons-material/Logout'
import { useSignedInUser } from '../api/current-user.ts'
import { BreakAfterAt } from '../ui/BreakAfterAt.tsx'
import { BusyButton } from '../ui/BusyButton.tsx'
import { Typography } from '../ui/Typography.tsx'
import css from './AccountBar.module.css'

/** The signed-in user's email and the Log out button, for screens without the dashboard's menu. */
export function AccountBar({ logOut, busy }: { logOut: () => void; busy: boolean }) {
  const { email } = useSignedInUser()
  return (
    <>
      <Typography variant="body2" color="textSecondary" className={css['text']}>
        <BreakAfterAt>{email}</BreakAfterAt>
      </Typography>
      <BusyButton
        variant="outlined"
        busy={busy}
        onClick={logOut}
        startIcon={<Logout aria-hidden />}
        className={css['busyButton']}
      >
        Log out
      </BusyButton>
    </>
  )
}
