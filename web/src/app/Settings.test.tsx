import { screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { james } from '../../test/signed-in.ts'
import { renderApp, reply, stubNetwork } from '../../test/test-app.tsx'

// Its code never arrives.
vi.mock('../features/notices/EmailNotices.tsx', () => new Promise(() => {}))

it('Settings keep a place for the email notices while their code loads', async () => {
  stubNetwork({ '/auth/check-auth': () => reply(200, { user: james }) })
  renderApp('/dashboard/settings')
  const section = await screen.findByRole('region', { name: 'Email notices' })
  expect(within(section).queryByRole('switch')).toBeNull()
  const agreements = screen.getByRole('region', { name: 'Your agreements' })
  expect(section.compareDocumentPosition(agreements)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})
