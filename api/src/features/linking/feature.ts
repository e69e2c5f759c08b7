import { needingCrm } from '../../jobs/job.ts'
import { feature } from '../feature.ts'
import { findContact, findContactWork } from './find-contact.ts'
import { sendContact } from './linking.ts'

export const linking = feature({
  name: 'linking',
  jobs: [findContact],
  work: (parts) => [needingCrm(findContactWork(parts))],
  crm: () => ({ contact: sendContact }),
})
