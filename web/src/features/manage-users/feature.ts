import type { Role } from '@guidon/contract/account'
import { screens } from '@guidon/contract/screens'
import type { ComponentType } from 'react'
import { feature, type AccountProps } from '../../ui/feature.ts'

type Load = () => Promise<ComponentType<AccountProps>>

const FOR_STAFF = { roles: ['ADMIN', 'STAFF'] satisfies Role[], frame: 'account' } as const

/** Some screens show parts of other features, so the app composes them and passes them in. */
export const manageUsers = ({ users, linkToConfirm }: { users: Load; linkToConfirm: Load }) =>
  feature({
    name: 'manage-users',
    routes: [
      { ...FOR_STAFF, path: screens.adminDashboard, load: users },
      {
        ...FOR_STAFF,
        path: screens.linksToConfirm,
        load: async () => (await import('./links/LinksToConfirmPage.tsx')).LinksToConfirmPage,
      },
      { ...FOR_STAFF, path: `${screens.linksToConfirm}/:id`, load: linkToConfirm },
    ],
  })
