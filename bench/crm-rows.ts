/** The rows of an org with invented veterans, the same in each run. */

export const APPOINTMENTS_EACH = 2
export const DOCUMENTS_EACH = 3

type Row = Record<string, unknown>

const CASE_MANAGERS = 200
const DAY_MS = 86_400_000
const START = Date.now() - 365 * DAY_MS
/** The last change is well before the period that the mirror reads again. */
const SPAN_MS = 300 * DAY_MS

const CITIES = ['San Diego', 'Fayetteville', 'El Paso', 'Norfolk', 'Tampa', 'Colorado Springs']
const LAST_NAMES = ['Whitfield', 'Alvarez', 'Santiago', 'Okafor', 'Becker', 'Nguyen', 'Hill']

const of = <T>(list: readonly T[], at: number): T => list[at % list.length]!
const day = (fromNow: number) => new Date(Date.now() + fromNow * DAY_MS).toISOString().slice(0, 10)
const stamp = (at: number, count: number) =>
  START + Math.floor(((at / count) * SPAN_MS) / 1000) * 1000

export function* caseManagers(): Generator<Row> {
  for (let at = 0; at < CASE_MANAGERS; at += 1) {
    const email = `case.manager.${at}@guidon.example`
    const LastName = of(LAST_NAMES, at)
    yield { FirstName: 'Casey', LastName, Email: email, Username: email, Phone: '8005550142' }
  }
}

export function* contacts(count: number, managers: readonly string[]): Generator<Row> {
  for (let at = 0; at < count; at += 1) {
    yield {
      FirstName: 'James',
      LastName: of(LAST_NAMES, at),
      Email: `Veteran.${at}@example.com`,
      Phone: `619${String(5_550_100 + (at % 100))}`,
      MailingStreet: `${at} Harbor Road`,
      MailingCity: of(CITIES, at),
      MailingState: 'CA',
      MailingPostalCode: String(90_000 + (at % 10_000)),
      Case_Manager__c: of(managers, at),
      SystemModstamp: stamp(at, count),
    }
  }
}

export function* appointmentsOf(ids: readonly string[]): Generator<Row> {
  const days = Array.from({ length: 200 }, (_, at) => day(at - 100))
  for (const [at, id] of ids.entries()) {
    for (let one = 0; one < APPOINTMENTS_EACH; one += 1) {
      const ahead = one === 0
      yield {
        Veteran__c: id,
        Appointment_Date__c: days[ahead ? 110 + (at % 90) : at % 90],
        Appointment_Time__c: of(['08:30', '11:00', '14:15'], at),
        Clinic_Name__c: `${of(CITIES, at)} Clinic`,
        Clinic_Phone__c: '8005550177',
        Status__c: ahead ? 'Scheduled' : 'Completed',
        SystemModstamp: stamp(at, ids.length),
      }
    }
  }
}

export function* documentsOf(ids: readonly string[]): Generator<Row> {
  for (const [at, id] of ids.entries()) {
    for (let one = 0; one < DOCUMENTS_EACH; one += 1) {
      const uploaded = one > 0
      yield {
        Veteran__c: id,
        Name: `Document ${one}`,
        Document_Type__c: 'DD Form 214',
        ...(uploaded && {
          Box_File_Id__c: String(1_200_000_000_000 + at * DOCUMENTS_EACH + one),
          Last_Uploaded_At__c: new Date(stamp(at, ids.length)).toISOString(),
        }),
        SystemModstamp: stamp(at, ids.length),
      }
    }
  }
}
