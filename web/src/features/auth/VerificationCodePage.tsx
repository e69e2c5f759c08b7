import { screens } from '@guidon/contract/screens'
import { useState } from 'react'
import { Navigate } from 'react-router'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { CodeForm } from './CodeForm.tsx'
import { readPending } from './pending-verification.ts'
import { ResendCode } from './ResendCode.tsx'

export function VerificationCodePage() {
  // Read once: after a success it is cleared, and the page must not redirect to /signin while the next screen loads.
  const [pending] = useState(readPending)
  if (pending === undefined) return <Navigate to={screens.signIn} replace />
  return (
    <AuthLayout>
      <CodeForm pending={pending} />
      <ResendCode pending={pending} />
      <TextLink standalone to={pending.type === 'signup' ? screens.signUp : screens.signIn}>
        Wrong email? Start again
      </TextLink>
    </AuthLayout>
  )
}
