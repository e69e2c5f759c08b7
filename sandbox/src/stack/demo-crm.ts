import { setTimeout as delay } from 'node:timers/promises'
import { salesforceControl } from '../salesforce/client.ts'
import type { SalesforceControl } from '../salesforce/client.ts'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'

const DAY_MS = 86_400_000
const timeInDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const inDays = (days: number) => timeInDays(days).slice(0, 10)

type Control = Pick<SalesforceControl, 'staff' | 'rows' | 'stats'>

/**
 * Adds demo veterans to the CRM: James is in the middle of a claim and has tasks of every kind, Maria's claim went
 * back to an earlier stage, and Robert has nothing to do. Denise is new: the CRM does not know her.
 */
export async function seedDemoCrm(url: string): Promise<void> {
  const control = salesforceControl(url)
  const [james, maria, robert] = await addContacts(control)
  await addAppointments(control, james!)
  await addDocuments(control, james!)
  const { staff } = control
  const claims = {
    james: await staff('add-claim', {
      contactId: james,
      title: 'Disability claim',
      stage: 'Intake',
      since: timeInDays(-48),
    }),
    maria: await staff('add-claim', {
      contactId: maria,
      title: 'Disability claim',
      stage: 'Medical Visits',
      since: timeInDays(-30),
    }),
  }
  await staff('add-claim', {
    contactId: robert,
    title: 'Disability claim',
    stage: 'Filed with VA',
    since: timeInDays(-40),
    nextStep: 'VA decides your claim and sends you a letter.',
  })
  // The portal records only the stages that it reads, so each change waits until the previous one was read.
  await waitForRead(control)
  const move = (claimId: string, change: Record<string, unknown>) =>
    staff('change-claim', { claimId, ...change })
  await move(claims.james, { stage: 'Case Review', since: timeInDays(-39) })
  await move(claims.maria, {
    stage: 'Gathering Records',
    since: timeInDays(-4),
    reason: 'The clinic needs your service treatment records before the next visit.',
    nextStep: 'We request the records from the archive.',
  })
  await waitForRead(control)
  await move(claims.james, {
    stage: 'Gathering Records',
    since: timeInDays(-18),
    nextStep: 'When all records are here, we arrange your medical visits.',
  })
}

/** Each read of the CRM by the portal has four queries that include deleted rows (`queryAll`). */
const QUERIES_PER_READ = 4

/** Waits for two reads, because the first one may have begun before the changes. */
async function waitForRead({ stats }: Control): Promise<void> {
  const { queryAll } = (await stats()).parts
  while ((await stats()).parts.queryAll < queryAll + 2 * QUERIES_PER_READ) await delay(200)
}

/** Returns the ids in the order of the demo accounts. The last veteran, Denise, gets no contact. */
async function addContacts({ staff, rows }: Control): Promise<string[]> {
  const [manager] = await rows<{ Id: string }>('User')
  const ids: string[] = []
  for (const veteran of DEMO_ACCOUNTS.filter(({ role }) => role === 'USER').slice(0, -1)) {
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
    await staff('assign-case-manager', { contactId, userId: manager!.Id })
    ids.push(contactId)
  }
  return ids
}

async function addAppointments({ staff }: Control, contactId: string): Promise<void> {
  const appointments = [
    { date: inDays(3), time: '10:30', clinicName: 'Cape Fear Clinic', clinicPhone: '9105550120' },
    { date: inDays(17), time: '14:00', clinicName: 'Sandhills Hearing', clinicPhone: '9105550121' },
  ]
  for (const appointment of appointments) {
    await staff('add-appointment', { contactId, ...appointment })
  }
}

async function addDocuments({ staff }: Control, contactId: string): Promise<void> {
  const documents = [
    {
      type: 'DD Form 214',
      dueDate: inDays(10),
      reason: 'It shows when and where you served.',
      status: 'Requested',
    },
    {
      type: 'VA Decision Letter',
      dueDate: inDays(-3),
      reason: 'It shows what VA has decided so far.',
      status: 'Requested',
    },
    { type: 'Private Medical Records', name: 'Records of Dr. Lee' },
  ]
  const ids: string[] = []
  for (const document of documents) {
    ids.push(await staff('request-document', { contactId, ...document }))
  }
  await staff('change-row', {
    id: ids.at(-1),
    Box_File_Id__c: '1001',
    Last_Uploaded_At__c: timeInDays(-6),
    Status__c: 'Not usable',
    Status_Reason__c: 'Page 2 is cut off. Please scan all pages.',
  })
}
