import type { Appointment } from '@guidon/contract/appointments'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { stubNetwork, renderScreen, reply, type Reply } from '../../../test/test-app.tsx'
import { Appointments } from './Appointments.tsx'

const PATH = '/salesforce/appointments/me'

const harbor: Appointment = {
  id: 'a1',
  appointmentDateText: '2026-11-24',
  appointmentTimeText: '09:30',
  clinicName: 'Harbor Orthopedic Clinic',
  clinicPhone: '6195550121',
}
const audiology: Appointment = {
  ...harbor,
  id: 'a2',
  appointmentDateText: '2026-12-10',
  appointmentTimeText: '14:00',
  clinicName: 'Mission Valley Audiology',
  clinicPhone: null,
}

function open(appointmentsReply: Reply) {
  const replies = { [PATH]: appointmentsReply }
  stubNetwork(replies)
  renderScreen('/dashboard/home', <Appointments />)
  return replies
}

it('shows badge, long date, time, clinic name and clinic phone of each appointment', async () => {
  open(() => reply(200, [harbor, audiology]))
  const [first, second] = await screen.findAllByRole('listitem')
  const card = within(first!)
  expect(card.getByText('Tue')).toBeVisible()
  expect(card.getByText('24')).toBeVisible()
  expect(card.getByText('November 24, 2026')).toBeVisible()
  expect(card.getByText('9:30 AM')).toBeVisible()
  expect(card.getByRole('heading', { name: 'Harbor Orthopedic Clinic' })).toBeVisible()
  expect(card.getByRole('link', { name: '(619) 555-0121' })).toHaveAttribute(
    'href',
    'tel:+16195550121',
  )
  expect(within(second!).getByText('2:00 PM')).toBeVisible()
  expect(within(second!).queryByRole('link')).toBeNull()
})

it('says: No upcoming appointments scheduled.', async () => {
  open(() => reply(200, []))
  expect(await screen.findByText('No upcoming appointments scheduled.')).toBeVisible()
})

it('shows a placeholder while it loads', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  open(() => promise)
  expect(screen.getByText('Loading appointments…')).toBeInTheDocument()
  resolve(reply(200, [harbor]))
  expect(await screen.findByText('Harbor Orthopedic Clinic')).toBeVisible()
  expect(screen.queryByText('Loading appointments…')).toBeNull()
})

it('shows its own failure, loads on Try again, and keeps the focus', async () => {
  const replies = open(() => reply(503))
  expect(await screen.findByText('Failed to get appointments.')).toBeVisible()
  expect(screen.queryByText(/check your internet connection/)).toBeNull()
  replies[PATH] = () => reply(200, [harbor])
  await userEvent.click(screen.getByRole('button', { name: 'Try again to load appointments' }))
  expect(await screen.findByText('Harbor Orthopedic Clinic')).toBeVisible()
  expect(screen.queryByText('Failed to get appointments.')).toBeNull()
  expect(document.activeElement).toContainElement(screen.getByText('Harbor Orthopedic Clinic'))
  expect(document.activeElement).not.toBe(document.body)
})

it('mentions the connection when no response came', async () => {
  open(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await screen.findByText(/^Failed to get appointments\./)).toBeVisible()
  expect(screen.getByText(/check your internet connection/)).toBeVisible()
})

it('adds an appointment to the calendar with a file created in the browser', async () => {
  const files: Blob[] = []
  // jsdom has no object URLs.
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (file: Blob) => `blob:${files.push(file)}`,
      revokeObjectURL: () => {},
    }),
  )
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.download} ${this.href}`)
  })
  open(() => reply(200, [harbor]))
  const name = 'Add to calendar Harbor Orthopedic Clinic, November 24, 2026'
  await userEvent.click(await screen.findByRole('button', { name }))
  expect(saved).toEqual(['appointment-2026-11-24.ics blob:1'])
  expect(files[0]?.type).toBe('text/calendar;charset=utf-8')
  expect(await files[0]?.text()).toContain('DTSTART:20261124T093000\r\n')
})
