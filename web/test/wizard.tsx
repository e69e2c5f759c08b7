import { getIntake, saveIntake, type Intake } from '@guidon/contract/intake'
import { getUserInfo } from '@guidon/contract/profile'
import { screens } from '@guidon/contract/screens'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { james } from './signed-in.ts'
import { stubNetwork, renderApp, reply, type Reply } from './test-app.tsx'

export const user = james
const onlyStateKnown = { street: null, city: null, zip: null, state: 'California' }

/** The calls that read and save the intake have the same path, and this body is a valid response to both. */
export const intake = (parts: Partial<Intake> = {}): Reply => {
  const body: Intake = {
    data: {},
    step: 'initialInfo',
    editedAt: {},
    savedAt: '2026-11-15T23:42:00.000Z',
    submittedAt: null,
    linkedToExistingAccount: false,
    version: 1,
    ...parts,
  }
  return () => reply(200, body)
}
export const replyAtStep = (step: Intake['step'], data: Intake['data'] = {}) =>
  intake({
    step,
    data,
    editedAt: Object.fromEntries([...Object.keys(data), 'step'].map((name) => [name, 5])),
  })

export function openWizard(intakeReply: Reply) {
  const replies: Record<string, Reply> = {
    '/auth/check-auth': () => reply(200, { user }),
    [getUserInfo.path]: () => reply(200, { ...user, ...onlyStateKnown }),
    [getIntake.path]: intakeReply,
  }
  const requests = stubNetwork(replies)
  const { unmount } = renderApp(screens.getStarted)
  const saves = () =>
    requests.filter(({ path, body }) => path === saveIntake.path && body).map(({ body }) => body)
  return { replies, saves, requests, unmount }
}

/** The first call also waits for the wizard's code to load. */
export const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name })
export const next = () => userEvent.click(screen.getByRole('button', { name: 'Next' }))
