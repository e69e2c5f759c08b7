import { screens } from '@guidon/contract/screens'
import { feature } from '../../ui/feature.ts'

export const settings = feature({
  name: 'settings',
  routes: [
    {
      path: screens.settings,
      leadsTo: [screens.home],
      roles: ['USER'],
      frame: 'dashboard',
      load: async () => (await import('./SettingsPage.tsx')).SettingsPage,
      menu: { label: 'Settings', icon: () => import('@mui/icons-material/SettingsOutlined') },
    },
  ],
})
