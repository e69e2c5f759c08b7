import type { Role, SignedInUser } from '@guidon/contract/account'
import { LISTING_MAX, type ManagedUser } from '@guidon/contract/manage-users'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { vi } from 'vitest'
import { sampleUser } from '../src/features/manage-users/sample-users.ts'
import { james } from './signed-in.ts'
import { stubNetwork, renderApp, reply, type Reply } from './test-app.tsx'

const signedInAdmin: SignedInUser = {
  ...james,
  role: 'ADMIN',
  email: 'dana@guidon.example',
  firstName: 'Dana',
  lastName: 'Okafor',
}

export const FIRST_PAGE_PATH = '/admin/users?sortBy=createdAt&order=desc&limit=10'
export const LISTING_PATH = `/admin/users?sortBy=createdAt&order=desc&limit=${LISTING_MAX}`

export const maria = sampleUser({
  id: 'maria',
  salesforceId: '0035e00001XyAb1',
  boxFolderId: '281190442718',
})
export const tom = sampleUser({
  id: 'tom',
  email: 'tom.becker@guidon.example',
  firstName: 'Tom',
  lastName: 'Becker',
  role: 'STAFF',
  createdAt: '2026-11-11T09:30:00.000Z',
})
export const dana = sampleUser({
  id: 'dana',
  email: signedInAdmin.email,
  firstName: 'Dana',
  lastName: 'Okafor',
  role: 'ADMIN',
  createdAt: '2026-11-10T09:30:00.000Z',
})
export const linda = sampleUser({
  id: 'linda',
  email: 'linda.chow@example.com',
  firstName: 'Linda',
  lastName: 'Chow',
  isActive: false,
  createdAt: '2026-11-09T09:30:00.000Z',
})
export const sampleUsers = [maria, tom, dana, linda]

interface Options {
  users?: readonly ManagedUser[]
  role?: Role
  at?: string
  wide?: boolean
  replies?: Record<string, Reply>
}

export const pageReply = (
  users: readonly ManagedUser[],
  total = users.length,
  next: string | null = null,
) => reply(200, { users, total, next })

export async function openUsers({
  users = sampleUsers,
  role = 'ADMIN',
  at = '',
  wide = true,
  replies,
}: Options = {}) {
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: wide && media === '(min-width: 900px)',
    addListener: () => {},
    removeListener: () => {},
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  const allReplies: Record<string, Reply> = {
    '/auth/check-auth': () => reply(200, { user: { ...signedInAdmin, role } }),
    [FIRST_PAGE_PATH]: () =>
      pageReply(users.slice(0, 10), users.length, users.length > 10 ? 'c10' : null),
    [LISTING_PATH]: () => pageReply(users),
    ...replies,
  }
  const requests = stubNetwork(allReplies)
  renderApp(`/admin-dashboard${at}`)
  // The first test also waits for the screen's code to load.
  await screen.findByRole('heading', { level: 1, name: 'Manage Users' })
  return {
    replies: allReplies,
    requested: () =>
      requests.map(({ path }) => path).filter((path) => path.startsWith('/admin/users')),
  }
}

const table = () => screen.getByRole<HTMLTableElement>('table')
export const shownEmails = () =>
  Array.from(table().tBodies[0]!.rows, (line) => line.cells[0]!)
    .filter(({ tagName }) => tagName === 'TH')
    .map(({ textContent }) => textContent.replace(/\(\d{3}\).*/, ''))
export const rowOf = (name: RegExp) =>
  Array.from(table().rows).find((line) => name.test(line.cells[0]!.textContent))!
export const findStatus = (text: string) => screen.findByText(text, { selector: 'output' })

export async function chooseAction(name: string, action: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}
