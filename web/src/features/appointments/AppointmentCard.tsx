import type { Appointment } from '@guidon/contract/appointments'
import CalendarMonth from '@mui/icons-material/CalendarMonthOutlined'
import Schedule from '@mui/icons-material/ScheduleOutlined'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { CallLink } from '../../ui/CallLink.tsx'
import { longDate, weekdayOf } from '../../ui/dates.ts'
import { IconLine } from '../../ui/IconLine.tsx'
import { phoneText } from '../../ui/phone.ts'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { clinicOf, clockTime, dayBadge } from './appointment-texts.ts'
import { CALENDAR_TYPE, calendarFile, calendarFileName } from './calendar-file.ts'
import { DateBadge } from './DateBadge.tsx'
import { saveFile } from './save-file.ts'

const Card = styled(Paper)({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '12px 20px',
  padding: 16,
  '& > button': { flex: '0 1 auto' },
  '@container (max-width: 30rem)': { '& > button': { flex: '1 1 100%' } },
  // On a phone with twice the text size.
  '@container (max-width: 12rem)': { '& > button': { whiteSpace: 'normal' } },
})

const Details = styled('div')({ flex: '1 1 9rem', minWidth: 0 })

const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  columnGap: 24,
  '& strong': { fontSize: '0.95rem', whiteSpace: 'nowrap' },
})

export function AppointmentCard(appointment: Appointment) {
  const { appointmentDateText: date, appointmentTimeText: time, clinicPhone } = appointment
  const badge = dayBadge(date)
  const clinic = clinicOf(appointment)

  function addToCalendar(): void {
    const file = calendarFile(appointment, new Date())
    saveFile(file, CALENDAR_TYPE, calendarFileName(appointment))
  }

  return (
    <Card variant="outlined">
      {badge && <DateBadge {...badge} />}
      <Details>
        <Typography variant="h3">{clinic}</Typography>
        <Typography variant="body2" color="textSecondary">
          <VisuallyHidden>{weekdayOf(date)} </VisuallyHidden>
          <time dateTime={date}>{longDate(date)}</time>
        </Typography>
        <Row>
          <IconLine icon={<Schedule aria-hidden />}>
            <strong>{clockTime(time)}</strong>
          </IconLine>
          {clinicPhone && <CallLink phone={phoneText(clinicPhone)} />}
        </Row>
      </Details>
      <Button variant="outlined" onClick={addToCalendar} startIcon={<CalendarMonth aria-hidden />}>
        Add to calendar{' '}
        <VisuallyHidden>
          {clinic}, {longDate(date)}
        </VisuallyHidden>
      </Button>
    </Card>
  )
}
