import { auth } from '../features/auth/feature.ts'
import { home } from '../features/home/feature.ts'
import { intake } from '../features/intake/feature.ts'
import { manageUsers } from '../features/manage-users/feature.ts'
import { settings } from '../features/settings/feature.ts'
import type { Feature } from '../ui/feature.ts'

/** Every feature that has a screen, in the order of the menu, except those of rare-features.ts. */
export const features: readonly Feature[] = [
  auth,
  intake,
  home(async () => (await import('./Home.tsx')).Home),
  settings(async () => (await import('./Settings.tsx')).Settings),
  manageUsers({
    users: async () => (await import('./ManageUsers.tsx')).ManageUsers,
    linkToConfirm: async () => (await import('./LinkToConfirm.tsx')).LinkToConfirm,
  }),
]
