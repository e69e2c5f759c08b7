import { screens } from '@guidon/contract/screens'
import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { SignInPage } from '../features/auth/SignInPage.tsx'
import { LoadingPage } from '../ui/LoadingPage.tsx'
import { LoadFailureBoundary } from './LoadFailureBoundary.tsx'
import { RequireRole } from './RequireRole.tsx'
import { useSessionEnd } from './use-session-end.ts'

const SignUpPage = lazy(async () => ({
  default: (await import('../features/auth/SignUpPage.tsx')).SignUpPage,
}))
const ForgotPasswordPage = lazy(async () => ({
  default: (await import('../features/auth/ForgotPasswordPage.tsx')).ForgotPasswordPage,
}))
const ForgotPasswordSentPage = lazy(async () => ({
  default: (await import('../features/auth/ForgotPasswordSentPage.tsx')).ForgotPasswordSentPage,
}))
const ResetPasswordPage = lazy(async () => ({
  default: (await import('../features/auth/ResetPasswordPage.tsx')).ResetPasswordPage,
}))
const ResetPasswordSuccessPage = lazy(async () => ({
  default: (await import('../features/auth/ResetPasswordSuccessPage.tsx')).ResetPasswordSuccessPage,
}))
const VerificationCodePage = lazy(async () => ({
  default: (await import('../features/auth/VerificationCodePage.tsx')).VerificationCodePage,
}))
const GetStarted = lazy(async () => ({
  default: (await import('./GetStarted.tsx')).GetStarted,
}))
const Dashboard = lazy(async () => ({ default: (await import('./Dashboard.tsx')).Dashboard }))
const Home = lazy(async () => ({ default: (await import('./Home.tsx')).Home }))
const SettingsPage = lazy(async () => ({
  default: (await import('../features/settings/SettingsPage.tsx')).SettingsPage,
}))
const AdminDashboard = lazy(async () => ({
  default: (await import('./AdminDashboard.tsx')).AdminDashboard,
}))
const NotFoundPage = lazy(async () => ({
  default: (await import('./NotFoundPage.tsx')).NotFoundPage,
}))

export function Screens() {
  useSessionEnd()
  const { pathname } = useLocation()
  return (
    <LoadFailureBoundary key={pathname}>
      <Suspense fallback={<LoadingPage />}>
        <Routes>
          <Route path="/" element={<Navigate to={screens.signIn} replace />} />
          <Route path={screens.signIn} element={<SignInPage />} />
          <Route path={screens.signUp} element={<SignUpPage />} />
          <Route path={screens.forgotPassword} element={<ForgotPasswordPage />} />
          <Route path={screens.forgotPasswordSent} element={<ForgotPasswordSentPage />} />
          <Route path={screens.resetPassword} element={<ResetPasswordPage />} />
          <Route path={screens.resetPasswordSuccess} element={<ResetPasswordSuccessPage />} />
          <Route path={screens.verificationCode} element={<VerificationCodePage />} />
          <Route element={<RequireRole roles={['USER']} />}>
            <Route path={screens.getStarted} element={<GetStarted />} />
            <Route path={screens.dashboard} element={<Dashboard />}>
              <Route index element={<Navigate to={screens.home} replace />} />
              <Route path={screens.home} element={<Home />} />
              <Route path={screens.settings} element={<SettingsPage />} />
            </Route>
          </Route>
          <Route element={<RequireRole roles={['ADMIN', 'STAFF']} />}>
            <Route path={screens.adminDashboard} element={<AdminDashboard />} />
          </Route>
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </Suspense>
    </LoadFailureBoundary>
  )
}
