import { getAppointments, type Appointment } from '@guidon/contract/appointments'
import EventBusy from '@mui/icons-material/EventBusyOutlined'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { call } from '../../api/call.ts'
import { EmptyCard } from '../../ui/EmptyCard.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { AppointmentCard } from './AppointmentCard.tsx'

const List = styled('ul')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 12,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  containerType: 'inline-size',
})

const Waiting = styled(Paper)({ display: 'flex', alignItems: 'center', gap: 20, padding: 16 })

const skeleton = (
  <Waiting variant="outlined">
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
  const result = useQuery({
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
