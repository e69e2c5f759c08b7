import { resetLinkVoid, resetPasswordForm } from '@guidon/contract/password'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { ResetLinkProblem } from './ResetLinkProblem.tsx'
import { ResetPasswordForm } from './ResetPasswordForm.tsx'
import { useResetPassword } from './use-reset-password.ts'
import { useResetToken } from './use-reset-token.ts'

export function ResetPasswordPage() {
  const token = useResetToken()
  const resetting = useResetPassword()
  const voidMessage = resetting.failure?.code === resetLinkVoid.code && resetting.failure.message
  const problem =
    voidMessage || resetPasswordForm.shape.token.safeParse(token).error?.issues[0]?.message
  return (
    <AuthLayout>
      {problem ? (
        <ResetLinkProblem replacesForm={Boolean(voidMessage)}>{problem}</ResetLinkProblem>
      ) : (
        <ResetPasswordForm token={token} {...resetting} />
      )}
    </AuthLayout>
  )
}
