import { screens } from '@guidon/contract/screens'
import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { IconDisc } from '../../ui/IconDisc.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'

export function ResetPasswordSuccessPage() {
  return (
    <AuthLayout>
      <IconDisc sx={{ mb: 3 }}>
        <CheckCircle aria-hidden />
      </IconDisc>
      <PageHeading title="Password Changed">Password Changed</PageHeading>
      <Typography color="textSecondary" sx={{ mt: 1, mb: 4 }}>
        From now on, sign in with your new password.
      </Typography>
      <Button component={Link} to={screens.signIn} fullWidth>
        Sign In
      </Button>
    </AuthLayout>
  )
}
