import { screens } from '@guidon/contract/screens'
import { feature } from '../../ui/feature.ts'

export const intake = feature({
  name: 'intake',
  routes: [
    {
      path: screens.getStarted,
      roles: ['USER'],
      frame: 'account',
      load: async () => (await import('./GetStartedPage.tsx')).GetStartedPage,
    },
  ],
})
