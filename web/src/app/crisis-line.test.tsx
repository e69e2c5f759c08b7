import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SignedInUser } from '@guidon/contract/account'
import { getIntake } from '@guidon/contract/intake'
import { NOTICE_KINDS } from '@guidon/contract/notices'
import { screens } from '@guidon/contract/screens'
import { CRISIS_HTML, CRISIS_SENTENCE, NEVER_ASKED } from '@guidon/contract/trust'
import { render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { james } from '../../test/signed-in.ts'
import { renderApp, reply, stubNetwork, type Reply } from '../../test/test-app.tsx'
import { intake } from '../../test/wizard.tsx'
import { storePending } from '../features/auth/pending-verification.ts'
import { LoadFailure } from '../ui/lazy-code.ts'
import { LoadFailureBoundary } from './LoadFailureBoundary.tsx'
import { Providers } from './Providers.tsx'

const veteran: SignedInUser = { ...james, state: 'Utah' }
const consents = {
  due: [{ kind: 'terms', version: '2', title: 'Terms', text: 'I accept the Terms.', hash: '1' }],
  optional: [],
  given: [],
}

// The unsubscribe screen keeps the token of its link in `history.state`.
afterEach(() => history.replaceState(null, '', '/'))

const switches = { switches: NOTICE_KINDS.map((kind) => ({ kind, on: true })) }

function renderAt(address: string, replies: Record<string, Reply> = {}) {
  const [path = '', query] = address.split('?')
  const role = path.startsWith(screens.adminDashboard) ? 'ADMIN' : 'USER'
  stubNetwork({
    '/auth/check-auth': () => reply(200, { user: { ...veteran, role } }),
    '/consents/me': () => reply(200, consents),
    [getIntake.path]: intake(),
    '/hand-offs/slot': () => reply(200, { name: null, state: 'connected', secondsLeft: 900 }),
    [`/notices/preferences?${query}`]: () => reply(200, switches),
    ...replies,
  })
  if (path === screens.verificationCode) storePending({ email: veteran.email, type: 'signin' })
  renderApp(address)
}

/** A page whose code fails to load. */
function renderFailure(offline: boolean) {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const Failing = () => {
    throw new LoadFailure(offline)
  }
  render(
    <Providers>
      <MemoryRouter>
        <LoadFailureBoundary>
          <Failing />
        </LoadFailureBoundary>
      </MemoryRouter>
    </Providers>,
  )
}

/** The page that the balancer sends while no API responds. It is not part of the web app. */
function showMaintenancePage() {
  const page = readFileSync(
    resolve(import.meta.dirname, '../../../deploy/maintenance.html'),
    'utf8',
  )
  const container = document.createElement('div')
  container.innerHTML = new DOMParser().parseFromString(page, 'text/html').body.innerHTML
  render(<div ref={(parent) => parent?.append(container)} />)
}

/** The heading of each screen as people use it, and not of its failure. */
const headings: Record<keyof typeof screens, string> = {
  signIn: 'Welcome Back',
  signUp: 'Create Account',
  forgotPassword: 'Forgot your password?',
  forgotPasswordSent: 'Email Sent',
  resetPassword: 'Reset Password',
  resetPasswordSuccess: 'Password Changed',
  verificationCode: 'Check your email',
  getStarted: 'More About You',
  dashboard: 'Welcome, James',
  home: 'Welcome, James',
  settings: 'Settings',
  adminDashboard: 'Manage Users',
  linksToConfirm: 'Links to confirm',
  phone: 'Send a document',
  updatedTerms: 'Our terms have changed',
  unsubscribe: 'Email notices',
  notMe: 'This was not me',
}
const queries: Partial<Record<string, string>> = {
  resetPassword: '?token=abc',
  unsubscribe: '?token=abc',
  notMe: '#abc',
}

const pages: [name: string, show: () => void, heading: string][] = [
  ...Object.entries(screens).map(([name, path]): [string, () => void, string] => [
    path,
    () => renderAt(path + (queries[name] ?? '')),
    headings[name as keyof typeof screens],
  ]),
  [
    'a link in an email that does not work',
    () => renderAt(screens.unsubscribe),
    'We could not open your email settings',
  ],
  [
    'a phone that is not connected',
    () => renderAt(screens.phone, { '/hand-offs/slot': () => reply(404) }),
    'Your phone is not connected',
  ],
  [
    'texts that cannot be loaded',
    () => renderAt(screens.updatedTerms, { '/consents/me': () => reply(500) }),
    'We could not open the updated texts',
  ],
  ['404', () => renderAt('/nowhere'), 'Page Not Found'],
  [
    'the portal fails',
    () => renderAt(screens.home, { '/auth/check-auth': () => reply(500) }),
    'We could not reach your account',
  ],
  ['the portal was updated', () => renderFailure(false), 'This page could not be loaded'],
  ['offline', () => renderFailure(true), 'You are offline'],
  ['maintenance', showMaintenancePage, 'The portal will be back soon'],
]

it.each(pages)('the crisis line is on the page: %s', async (_, show, name) => {
  show()
  await screen.findByRole('heading', { level: 1, name })
  const footer = screen.getByRole('contentinfo')
  expect(footer.textContent.replaceAll(/\s+/g, ' ')).toContain(CRISIS_SENTENCE)
  expect(footer).toHaveTextContent(NEVER_ASKED)
  const link = (text: string) => within(footer).getByRole('link', { name: text })
  expect(link('dial 988, then press 1')).toHaveAttribute('href', 'tel:988')
  expect(link('text 838255')).toHaveAttribute('href', 'sms:838255')
})

it('the crisis line is on the page before its scripts start, and if they cannot be loaded', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../index.html'), 'utf8')
  // The API replaces the name when it serves the page; in development, Vite does.
  expect(page).toMatch(/<div id="root">\s*<div class="before-start">[^]*<p>__CRISIS_LINE__<\/p>/)
  expect(CRISIS_HTML.replaceAll(/<[^>]+>/g, '')).toBe(CRISIS_SENTENCE)
  expect(CRISIS_HTML).toContain('<a href="tel:988">dial 988, then press 1</a>')
  expect(CRISIS_HTML).toContain('<a href="sms:838255">text 838255</a>')
})

it('the help panel has the crisis line', async () => {
  renderAt(screens.signIn)
  const help = await screen.findByRole('region', { name: 'Help' })
  expect(within(help).getByRole('link', { name: 'dial 988, then press 1' })).toBeVisible()
})

it('the footer says who we are not, on /signin', async () => {
  renderAt(screens.signIn)
  await screen.findByRole('heading', { name: 'Welcome Back' })
  const footer = () => screen.getByRole('contentinfo')
  expect(footer()).toHaveTextContent('Guidon is not part of VA.')
  // In the same tab, what was typed would be lost.
  const link = within(footer()).getByRole('link', { name: 'Find free help (opens in a new tab)' })
  expect(link).toHaveAttribute('href', 'https://help.example')
  expect(link).toHaveAttribute('target', '_blank')
  expect(footer()).not.toHaveTextContent('In Utah')
})

it('a veteran sees the notice of the state after signing in', async () => {
  renderAt(screens.settings)
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  expect(screen.getByRole('contentinfo')).toHaveTextContent('In Utah, the state helps, too.')
})
