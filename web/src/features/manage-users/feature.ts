import { screens } from '@guidon/contract/screens'
import type { ComponentType } from 'react'
import { feature, type AccountProps } from '../../ui/feature.ts'

/** Edit User shows a part of another feature, so the app composes the page and passes it in. */
export const manageUsers = (load: () => Promise<ComponentType<AccountProps>>) =>
  feature({
    name: 'manage-users',
    routes: [
      {
        path: screens.adminDashboard,
        roles: ['ADMIN', 'STAFF'],
        frame: 'account',
        load,
      },
    ],
  })
