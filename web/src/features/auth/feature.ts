import { screens } from '@guidon/contract/screens'
import { feature } from '../../ui/feature.ts'
import { SignInPage } from './SignInPage.tsx'

export const auth = feature({
  name: 'auth',
  routes: [
    {
      path: screens.signIn,
      Screen: SignInPage,
    },
    {
      path: screens.signUp,
      load: async () => (await import('./SignUpPage.tsx')).SignUpPage,
    },
    {
      path: screens.forgotPassword,
      load: async () => (await import('./ForgotPasswordPage.tsx')).ForgotPasswordPage,
    },
    {
      path: screens.forgotPasswordSent,
      load: async () => (await import('./ForgotPasswordSentPage.tsx')).ForgotPasswordSentPage,
    },
    {
      path: screens.resetPassword,
      load: async () => (await import('./ResetPasswordPage.tsx')).ResetPasswordPage,
    },
    {
      path: screens.resetPasswordSuccess,
      load: async () => (await import('./ResetPasswordSuccessPage.tsx')).ResetPasswordSuccessPage,
    },
    {
      path: screens.verificationCode,
      load: async () => (await import('./VerificationCodePage.tsx')).VerificationCodePage,
    },
  ],
})
