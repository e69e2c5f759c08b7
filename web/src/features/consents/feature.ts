import { screens } from '@guidon/contract/screens'
import { feature } from '../../ui/feature.ts'

export const consents = feature({
  name: 'consents',
  routes: [
    {
      path: screens.updatedTerms,
      roles: ['USER'],
      frame: 'account',
      load: async () => (await import('./UpdatedTermsPage.tsx')).UpdatedTermsPage,
    },
  ],
})
