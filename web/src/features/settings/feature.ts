import { screens } from '@guidon/contract/screens'
import type { ComponentType } from 'react'
import { feature } from '../../ui/feature.ts'

/** The page shows a part of another feature, so the app composes it and passes it in. */
export const settings = (load: () => Promise<ComponentType>) =>
  feature({
    name: 'settings',
    routes: [
      {
        path: screens.settings,
        roles: ['USER'],
        frame: 'dashboard',
        load,
        menu: { label: 'Settings', icon: () => import('@mui/icons-material/SettingsOutlined') },
      },
    ],
  })
