import { signInForm } from '@guidon/contract/auth'
import { noSession } from '@guidon/contract/refusal'
import { zodResolver } from '@hookform/resolvers/zod'
import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import Typography from '@mui/material/Typography'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'react-router'
import { AuthLayout } from '../../ui/AuthLayout.tsx'
import { brand } from '../../ui/brand.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { FormStack } from '../../ui/FormStack.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { saysSessionEnded } from './session-ended.ts'
import { useSignIn } from './use-sign-in.ts'

export function SignInPage() {
  const queryClient = useQueryClient()
  const ended = saysSessionEnded(useLocation().state)
  const { signIn, busy, failure } = useSignIn()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(signInForm),
    defaultValues: { email: '', password: '' },
  })
  const { errors } = formState

  useEffect(() => {
    // On a shared computer nothing of the person before may be left.
    localStorage.clear()
    sessionStorage.clear()
    queryClient.clear()
  }, [queryClient])

  useEffect(() => {
    for (const name of ['email', 'password'] as const) {
      const message = failure?.fields[name]
      if (message) setError(name, { message }, { shouldFocus: true })
    }
  }, [failure, setError])

  return (
    <AuthLayout>
      <PageHeading title="Sign In" failed={failure !== null || Object.keys(errors).length > 0}>
        Welcome Back
      </PageHeading>
      <Typography color="textSecondary" sx={{ mt: 1 }}>
        Sign in to check your appointments, documents and case manager.
      </Typography>
      {ended && (
        <Box sx={{ mt: 3 }}>
          <Notice kind="info">{noSession.message}</Notice>
        </Box>
      )}
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
          <Typography sx={{ mt: 1.5 }}>
            <TextLink to="/forgot-password">Forgot password?</TextLink>
          </Typography>
        </div>
        <Notice kind="error">{failure?.message}</Notice>
        <BusyButton type="submit" busy={busy} fullWidth>
          Sign In
        </BusyButton>
      </FormStack>
      <Divider sx={{ my: 4, mb: 3 }} />
      <p>
        New to {brand.name}? <TextLink to="/signup">Sign up</TextLink>
      </p>
    </AuthLayout>
  )
}
