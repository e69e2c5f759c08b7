import { feature } from '../feature.ts'
import { sendContact } from './linking.ts'

export const linking = feature({
  name: 'linking',
  crm: () => ({ contact: sendContact }),
})
