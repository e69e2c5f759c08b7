import { Appointments } from '../features/appointments/Appointments.tsx'
import { CaseManagerCard } from '../features/case-manager/CaseManagerCard.tsx'
import { RequestContact } from '../features/contact/RequestContact.tsx'
import { HomePage } from '../features/home/HomePage.tsx'

export function Home() {
  return (
    <HomePage contact={<RequestContact />}>
      <CaseManagerCard />
      <Appointments />
    </HomePage>
  )
}
