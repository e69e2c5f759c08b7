import { signInForm } from '@guidon/contract/auth'
import { noSession } from '@guidon/contract/refusal'
import { screens } from '@guidon/contract/screens'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'react-router'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { brand } from '../../ui/brand.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Divider } from '../../ui/Divider.ts'
import { FormStack } from '../../ui/FormStack.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { failureText } from './failure-text.ts'
import { OpenSession } from './OpenSession.tsx'
import { isSessionEnded } from './session-ended.ts'
import { useFieldFailures } from './use-field-failures.ts'
import { useOpenSession } from './use-open-session.ts'
import { useSignIn } from './use-sign-in.ts'
import css from './SignInPage.module.css'

const FIELDS = ['email', 'password'] as const

export function SignInPage() {
  const queryClient = useQueryClient()
  const ended = isSessionEnded(useLocation().state)
  const session = useOpenSession()
  const { signIn, busy, failure } = useSignIn()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(signInForm),
    defaultValues: { email: '', password: '' },
  })
  const { errors } = formState
  useFieldFailures(failure, FIELDS, setError)

  useEffect(() => {
    // On a shared computer nothing of the previous user may remain.
    localStorage.clear()
    sessionStorage.clear()
    queryClient.clear()
  }, [queryClient])

  return (
    <AuthLayout>
      <PageHeading title="Sign In" failed={failure !== null || Object.keys(errors).length > 0}>
        Welcome Back
      </PageHeading>
      <Typography color="textSecondary" className={css['text']}>
        Sign in to check your appointments, documents and case manager.
      </Typography>
      {ended && !session.user && !session.loggedOut && (
        <div className={css['box']}>
          <Notice kind="info">{noSession.message}</Notice>
        </div>
      )}
      <OpenSession {...session} />
      <FormStack
        noValidate
        onSubmit={(event) => void handleSubmit((values) => signIn(values))(event)}
      >
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          error={errors.email?.message}
          {...register('email')}
        />
        <div>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            error={errors.password?.message}
            {...register('password')}
          />
          <TextLink standalone to={screens.forgotPassword}>
            Forgot password?
          </TextLink>
        </div>
        <Notice kind="error">{failureText(failure)}</Notice>
        <BusyButton type="submit" busy={busy} fullWidth>
          Sign In
        </BusyButton>
      </FormStack>
      <Divider />
      <p>
        New to {brand.name}? <TextLink to={screens.signUp}>Sign up</TextLink>
      </p>
    </AuthLayout>
  )
}
