import { screens } from '@guidon/contract/screens'
import type { ComponentType } from 'react'
import { feature } from '../../ui/feature.ts'

/** The page shows parts of other features, so the app composes it and passes it in. */
export const home = (load: () => Promise<ComponentType>) =>
  feature({
    name: 'home',
    routes: [
      { path: screens.dashboard, roles: ['USER'], redirectTo: screens.home },
      {
        path: screens.home,
        roles: ['USER'],
        frame: 'dashboard',
        load,
        menu: { label: 'Home', icon: () => import('@mui/icons-material/Home') },
      },
    ],
  })
