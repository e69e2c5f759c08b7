import { Appointments } from '../features/appointments/Appointments.tsx'
import { CaseManagerCard } from '../features/case-manager/CaseManagerCard.tsx'
import { CaseManagerIntro } from '../features/case-manager/CaseManagerIntro.tsx'
import { RequestContact } from '../features/contact/RequestContact.tsx'
import { Documents } from '../features/documents/Documents.tsx'
import { HomePage } from '../features/home/HomePage.tsx'
import { FinishIntakeCard } from '../features/intake/FinishIntakeCard.tsx'

const intake = <FinishIntakeCard />

export function Home() {
  return (
    <HomePage contact={<RequestContact />} intro={<CaseManagerIntro />} first={intake}>
      <CaseManagerCard />
      <Appointments />
      <Documents />
    </HomePage>
  )
}
