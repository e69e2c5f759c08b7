import { salesforceControl } from '../salesforce/client.ts'
import { DEMO_PEOPLE } from './demo-people.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** What the provider knows of the first demo veteran; the others are new to it. */
export async function playTheProvider(url: string): Promise<void> {
  const { staff, rows } = salesforceControl(url)
  const known = DEMO_PEOPLE.find(({ role }) => role === 'USER')!
  const contactId = await staff('add-contact', {
    FirstName: known.firstName,
    LastName: known.lastName,
    Email: known.email,
    Phone: known.phone,
    MailingStreet: '418 Longleaf Drive',
    MailingCity: 'Fayetteville',
    MailingState: known.state,
    MailingPostalCode: '28303',
  })
  const [manager] = await rows<{ Id: string }>('User')
  await staff('assign-case-manager', { contactId, userId: manager!.Id })
  const visits = [
    { date: inDays(3), time: '10:30', clinicName: 'Cape Fear Clinic', clinicPhone: '9105550120' },
    { date: inDays(17), time: '14:00', clinicName: 'Sandhills Hearing', clinicPhone: '9105550121' },
  ]
  for (const visit of visits) await staff('add-appointment', { contactId, ...visit })
  for (const type of ['DD Form 214', 'VA Decision Letter']) {
    await staff('request-document', { contactId, type })
  }
}
