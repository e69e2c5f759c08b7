import { screens } from '@guidon/contract/screens'
import { feature } from '../../ui/feature.ts'

export const manageUsers = feature({
  name: 'manage-users',
  routes: [
    {
      path: screens.adminDashboard,
      roles: ['ADMIN', 'STAFF'],
      frame: 'account',
      load: async () => (await import('./AdminDashboard.tsx')).AdminDashboard,
    },
  ],
})
