import { getAppointments, type Appointment } from '@guidon/contract/appointments'
import EventBusy from '@mui/icons-material/EventBusyOutlined'
import type { Ref } from 'react'
import { call } from '../../api/call.ts'
import { useSectionQuery } from '../../api/use-section-query.ts'
import { EmptyCard } from '../../ui/EmptyCard.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { withClass } from '../../ui/with-class.ts'
import { AppointmentCard } from './AppointmentCard.tsx'
import css from './Appointments.module.css'

const List = withClass('ul', css['list'])

const Waiting = withClass(Paper, css['waiting'])

const skeleton = (
  <Waiting>
    <Skeleton variant="rounded" width="3.7rem" height="4.2rem" />
    <div style={{ flex: 1 }}>
      <Skeleton width="55%" />
      <Skeleton width="35%" />
      <Skeleton width="45%" />
    </div>
  </Waiting>
)

/** `headingRef`: makes the heading focusable. */
export function Appointments({ headingRef }: { headingRef?: Ref<HTMLHeadingElement> }) {
  const result = useSectionQuery({
    queryKey: ['appointments'],
    queryFn: ({ signal }) => call(getAppointments, { signal }),
  })
  return (
    <PageSection title="Appointments" headingRef={headingRef}>
      <Loaded result={result} contentName="appointments" skeleton={skeleton}>
        {listed}
      </Loaded>
    </PageSection>
  )
}

function listed(appointments: Appointment[]) {
  if (appointments.length === 0)
    return (
      <EmptyCard icon={<EventBusy aria-hidden />}>No upcoming appointments scheduled.</EmptyCard>
    )
  return (
    <List>
      {appointments.map((appointment) => (
        <li key={appointment.id}>
          <AppointmentCard {...appointment} />
        </li>
      ))}
    </List>
  )
}
