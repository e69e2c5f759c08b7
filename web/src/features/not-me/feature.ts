import { screens } from '@guidon/contract/screens'
import { feature } from '../../ui/feature.ts'

export const notMe = feature({
  name: 'not-me',
  routes: [{ path: screens.notMe, load: async () => (await import('./NotMePage.tsx')).NotMePage }],
})
