import type { Role } from './account.ts'

/** Paths of the screens. The router draws them; the server answers 404 to any other page address. */
export const screens = {
  signIn: '/signin',
  signUp: '/signup',
  forgotPassword: '/forgot-password',
  forgotPasswordSent: '/forgot-password-sent',
  resetPassword: '/reset-password',
  resetPasswordSuccess: '/reset-password-success',
  verificationCode: '/verification-code',
  getStarted: '/get-started',
  dashboard: '/dashboard',
  home: '/dashboard/home',
  settings: '/dashboard/settings',
  adminDashboard: '/admin-dashboard',
} as const

/** Where a person lands after signing in. */
export function homeOf(role: Role): string {
  return role === 'USER' ? screens.home : screens.adminDashboard
}
