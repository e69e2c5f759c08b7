/** The rows of a Salesforce org with invented veterans. Each run gets the same rows, with dates relative to today. */

export const APPOINTMENTS_EACH = 2
export const DOCUMENTS_EACH = 3
export const CLAIMS_EACH = 1

type Row = Record<string, unknown>

const CASE_MANAGERS = 200
const DAY_MS = 86_400_000
const START = Date.now() - 365 * DAY_MS
/** The last changes are between START and 65 days ago: a pass of the mirror reads newer changes again. */
const SPAN_MS = 300 * DAY_MS

const CITIES = ['San Diego', 'Fayetteville', 'El Paso', 'Norfolk', 'Tampa', 'Colorado Springs']
const LAST_NAMES = ['Whitfield', 'Alvarez', 'Santiago', 'Okafor', 'Becker', 'Nguyen', 'Hill']

const FILE_STATUSES = ['Received', 'Reviewed', 'Reviewed', 'Not usable']
const STAGES = ['Intake', 'Case Review', 'Gathering Records', 'Filed with VA']

const repeated = <T>(list: readonly T[], index: number): T => list[index % list.length]!
const day = (fromNow: number) => new Date(Date.now() + fromNow * DAY_MS).toISOString().slice(0, 10)
const modifiedAt = (index: number, count: number) =>
  START + Math.floor(((index / count) * SPAN_MS) / 1000) * 1000

export function* caseManagers(): Generator<Row> {
  for (let index = 0; index < CASE_MANAGERS; index += 1) {
    const email = `case.manager.${index}@guidon.example`
    const LastName = repeated(LAST_NAMES, index)
    yield { FirstName: 'Casey', LastName, Email: email, Username: email, Phone: '8005550142' }
  }
}

export function* contacts(count: number, managers: readonly string[]): Generator<Row> {
  for (let index = 0; index < count; index += 1) {
    yield {
      FirstName: 'James',
      LastName: repeated(LAST_NAMES, index),
      Email: `Veteran.${index}@example.com`,
      Phone: `619${String(5_550_100 + (index % 100))}`,
      MailingStreet: `${index} Harbor Road`,
      MailingCity: repeated(CITIES, index),
      MailingState: 'CA',
      MailingPostalCode: String(90_000 + (index % 10_000)),
      Case_Manager__c: repeated(managers, index),
      SystemModstamp: modifiedAt(index, count),
    }
  }
}

export function* appointmentsOf(ids: readonly string[]): Generator<Row> {
  const days = Array.from({ length: 200 }, (_, index) => day(index - 100))
  for (const [index, id] of ids.entries()) {
    for (let n = 0; n < APPOINTMENTS_EACH; n += 1) {
      const ahead = n === 0
      yield {
        Veteran__c: id,
        Appointment_Date__c: days[ahead ? 110 + (index % 90) : index % 90],
        Appointment_Time__c: repeated(['08:30', '11:00', '14:15'], index),
        Clinic_Name__c: `${repeated(CITIES, index)} Clinic`,
        Clinic_Phone__c: '8005550177',
        Status__c: ahead ? 'Scheduled' : 'Completed',
        SystemModstamp: modifiedAt(index, ids.length),
      }
    }
  }
}

export function* documentsOf(ids: readonly string[]): Generator<Row> {
  const days = Array.from({ length: 60 }, (_, index) => day(index - 10))
  for (const [index, id] of ids.entries()) {
    for (let n = 0; n < DOCUMENTS_EACH; n += 1) {
      const uploaded = n > 0
      yield {
        Veteran__c: id,
        Name: `Document ${n}`,
        Document_Type__c: 'DD Form 214',
        Status__c: uploaded ? repeated(FILE_STATUSES, index + n) : 'Requested',
        ...(uploaded
          ? {
              Box_File_Id__c: String(1_200_000_000_000 + index * DOCUMENTS_EACH + n),
              Last_Uploaded_At__c: new Date(modifiedAt(index, ids.length)).toISOString(),
            }
          : { Due_Date__c: days[index % days.length], Reason__c: 'VA decides with it' }),
        SystemModstamp: modifiedAt(index, ids.length),
      }
    }
  }
}

export function* claimsOf(ids: readonly string[]): Generator<Row> {
  for (const [index, id] of ids.entries()) {
    const since = modifiedAt(index, ids.length)
    yield {
      Veteran__c: id,
      Name: 'Disability claim',
      Stage__c: repeated(STAGES, index),
      Stage_Since__c: new Date(since).toISOString(),
      Next_Step__c: 'We call you when your records are here',
      Closed__c: index % 10 === 9,
      SystemModstamp: since,
    }
  }
}
