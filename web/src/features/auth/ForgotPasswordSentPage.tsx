import { maskEmail } from '@guidon/contract/account'
import { screens } from '@guidon/contract/screens'
import MarkEmailRead from '@mui/icons-material/MarkEmailReadOutlined'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { Divider } from '../../ui/Divider.ts'
import { IconDisc } from '../../ui/IconDisc.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { clearResetEmail, readResetEmail } from './reset-email.ts'

export function ForgotPasswordSentPage() {
  const [email] = useState(readResetEmail)
  useEffect(() => clearResetEmail, [])
  return (
    <AuthLayout>
      <IconDisc sx={{ mb: 3 }}>
        <MarkEmailRead aria-hidden />
      </IconDisc>
      <PageHeading title="Email Sent">Email Sent</PageHeading>
      <Typography sx={{ mt: 2 }}>
        We sent a reset link to{' '}
        {email === undefined ? 'your email' : <strong>{maskEmail(email)}</strong>}.
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 1.5 }}>
        It can take a minute to arrive. Check your spam folder too.
      </Typography>
      <Divider />
      <p>
        Didn’t get it? <TextLink to={screens.forgotPassword}>Request another link</TextLink>
      </p>
      <TextLink alone to={screens.signIn}>
        Back to sign in
      </TextLink>
    </AuthLayout>
  )
}
