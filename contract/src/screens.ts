import type { Role } from './account.ts'

/** Paths of the screens. The router draws them; the server answers 404 to any other page address. */
export const screens = {
  signIn: '/signin',
  verificationCode: '/verification-code',
  dashboard: '/dashboard',
  home: '/dashboard/home',
  adminDashboard: '/admin-dashboard',
} as const

/** Where a person lands after signing in. */
export function homeOf(role: Role): string {
  return role === 'USER' ? screens.home : screens.adminDashboard
}
