import { forgotPassword, forgotPasswordForm } from '@guidon/contract/password'
import { screens } from '@guidon/contract/screens'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Divider } from '../../ui/Divider.ts'
import { FormStack } from '../../ui/FormStack.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { failureText } from './failure-text.ts'
import { storeResetEmail } from './reset-email.ts'
import { useFieldFailures } from './use-field-failures.ts'
import css from './ForgotPasswordPage.module.css'

const FIELDS = ['email'] as const

export function ForgotPasswordPage() {
  const navigate = useNavigate()
  const {
    mutate,
    isPending,
    isSuccess,
    error: failure,
  } = useMutation<undefined, CallFailure, { email: string }>({
    mutationFn: (body) => call(forgotPassword, { body }),
    onSuccess: (_, { email }) => {
      storeResetEmail(email)
      return navigate(screens.forgotPasswordSent)
    },
  })
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(forgotPasswordForm),
    defaultValues: { email: '' },
  })
  const { errors } = formState
  useFieldFailures(failure, FIELDS, setError)

  return (
    <AuthLayout>
      <PageHeading
        title="Forgot Password"
        failed={failure !== null || Object.keys(errors).length > 0}
      >
        Forgot your password?
      </PageHeading>
      <Typography color="textSecondary" className={css['text']}>
        Enter the email of your account, and we will send you a link to choose a new password.
      </Typography>
      <FormStack
        noValidate
        onSubmit={(event) => void handleSubmit((values) => mutate(values))(event)}
      >
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          error={errors.email?.message}
          {...register('email')}
        />
        <Notice kind="error">{failureText(failure)}</Notice>
        <BusyButton type="submit" busy={isPending || isSuccess} fullWidth>
          Request Reset Link
        </BusyButton>
      </FormStack>
      <Divider />
      <p>
        Remembered it? <TextLink to={screens.signIn}>Back to sign in</TextLink>
      </p>
    </AuthLayout>
  )
}
