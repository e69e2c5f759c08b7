import { screens } from '@guidon/contract/screens'
import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import { Link } from 'react-router'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { Button } from '../../ui/Button.tsx'
import { IconDisc } from '../../ui/IconDisc.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Typography } from '../../ui/Typography.tsx'
import css from './ResetPasswordSuccessPage.module.css'

export function ResetPasswordSuccessPage() {
  return (
    <AuthLayout>
      <IconDisc className={css['iconDisc']}>
        <CheckCircle aria-hidden />
      </IconDisc>
      <PageHeading title="Password Changed">Password Changed</PageHeading>
      <Typography color="textSecondary" className={css['text']}>
        From now on, sign in with your new password.
      </Typography>
      <Button component={Link} to={screens.signIn} fullWidth>
        Sign In
      </Button>
    </AuthLayout>
  )
}
