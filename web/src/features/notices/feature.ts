import { screens } from '@guidon/contract/screens'
import { feature } from '../../ui/feature.ts'

export const notices = feature({
  name: 'notices',
  routes: [
    {
      path: screens.unsubscribe,
      load: async () => (await import('./UnsubscribePage.tsx')).UnsubscribePage,
    },
  ],
})
