import type { Role } from './account.ts'

/** Paths of the screens. The web app routes them; the server responds with 404 to any other page. */
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
  linksToConfirm: '/admin-dashboard/links',
  phone: '/phone',
  updatedTerms: '/updated-terms',
  unsubscribe: '/notices/unsubscribe',
  /** Of the link in an email; the token is in the fragment, which no server sees. */
  notMe: '/not-me',
} as const

/** The first screen after signing in. */
export function homeOf(role: Role): string {
  return role === 'USER' ? screens.home : screens.adminDashboard
}
