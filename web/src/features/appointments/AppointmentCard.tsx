import type { Appointment } from '@guidon/contract/appointments'
import CalendarMonth from '@mui/icons-material/CalendarMonthOutlined'
import Schedule from '@mui/icons-material/ScheduleOutlined'
import { Button } from '../../ui/Button.tsx'
import { CallLink } from '../../ui/CallLink.tsx'
import { longDate, weekdayOf } from '../../ui/dates.ts'
import { IconLine } from '../../ui/IconLine.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { phoneText } from '../../ui/phone.ts'
import { Typography } from '../../ui/Typography.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import { clinicOf, clockTime, dayBadge } from './appointment-texts.ts'
import { CALENDAR_TYPE, calendarFile, calendarFileName } from './calendar-file.ts'
import { DateBadge } from './DateBadge.tsx'
import { saveFile } from './save-file.ts'
import css from './AppointmentCard.module.css'

const Card = withClass(Paper, css['card'])

const Details = withClass('div', css['details'])

const Row = withClass('div', css['row'])

export function AppointmentCard(appointment: Appointment) {
  const { appointmentDateText: date, appointmentTimeText: time, clinicPhone } = appointment
  const badge = dayBadge(date)
  const clinic = clinicOf(appointment)

  function addToCalendar(): void {
    const file = calendarFile(appointment, new Date())
    saveFile(file, CALENDAR_TYPE, calendarFileName(appointment))
  }

  return (
    <Card>
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
