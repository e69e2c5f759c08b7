import { feature } from '../feature.ts'
import { findContact, findContactWork } from './find-contact.ts'
import { sendContact } from './linking.ts'

export const linking = feature({
  name: 'linking',
  jobs: [findContact],
  work: (parts) => [{ ...findContactWork(parts), needsCrm: true }],
  crm: () => ({ contact: sendContact }),
})
