import { maskEmail } from '@guidon/contract/account'
import { screens } from '@guidon/contract/screens'
import MarkEmailRead from '@mui/icons-material/MarkEmailReadOutlined'
import { useEffect, useState } from 'react'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { Divider } from '../../ui/Divider.ts'
import { IconDisc } from '../../ui/IconDisc.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { clearResetEmail, readResetEmail } from './reset-email.ts'
import css from './ForgotPasswordSentPage.module.css'

export function ForgotPasswordSentPage() {
  const [email] = useState(readResetEmail)
  useEffect(() => clearResetEmail, [])
  return (
    <AuthLayout>
      <IconDisc className={css['iconDisc']}>
        <MarkEmailRead aria-hidden />
      </IconDisc>
      <PageHeading title="Email Sent">Email Sent</PageHeading>
      <Typography className={css['sentTo']}>
        We sent a reset link to{' '}
        {email === undefined ? 'your email' : <strong>{maskEmail(email)}</strong>}.
      </Typography>
      <Typography color="textSecondary" className={css['hint']}>
        It can take a minute to arrive. Check your spam folder too.
      </Typography>
      <Divider />
      <p>
        Didn’t get it? <TextLink to={screens.forgotPassword}>Request another link</TextLink>
      </p>
      <TextLink standalone to={screens.signIn}>
        Back to sign in
      </TextLink>
    </AuthLayout>
  )
}
