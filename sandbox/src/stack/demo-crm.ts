import { salesforceControl } from '../salesforce/client.ts'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** Adds the first demo veteran to the CRM, with appointments and document requests. */
export async function seedDemoCrm(url: string): Promise<void> {
  const { staff, rows } = salesforceControl(url)
  const veteran = DEMO_ACCOUNTS.find(({ role }) => role === 'USER')!
  const contactId = await staff('add-contact', {
    FirstName: veteran.firstName,
    LastName: veteran.lastName,
    Email: veteran.email,
    Phone: veteran.phone,
    MailingStreet: '418 Longleaf Drive',
    MailingCity: 'Fayetteville',
    MailingState: veteran.state,
    MailingPostalCode: '28303',
  })
  const [manager] = await rows<{ Id: string }>('User')
  await staff('assign-case-manager', { contactId, userId: manager!.Id })
  const appointments = [
    { date: inDays(3), time: '10:30', clinicName: 'Cape Fear Clinic', clinicPhone: '9105550120' },
    { date: inDays(17), time: '14:00', clinicName: 'Sandhills Hearing', clinicPhone: '9105550121' },
  ]
  for (const appointment of appointments) {
    await staff('add-appointment', { contactId, ...appointment })
  }
  for (const type of ['DD Form 214', 'VA Decision Letter']) {
    await staff('request-document', { contactId, type })
  }
}
