import type { Role } from '@guidon/contract/account'
import type { ManagedUser } from '@guidon/contract/manage-users'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { vi } from 'vitest'
import { sampleUser } from '../src/features/manage-users/sample-users.ts'
import { james } from './signed-in.ts'
import { stubNetwork, renderApp, reply, type Reply } from './test-app.tsx'

export const maria = sampleUser({
  id: 'maria',
  salesforceId: '0035e00001XyAb1',
  boxFolderId: '281190442718',
})
const linda = sampleUser({
  id: 'linda',
  email: 'linda@example.com',
  firstName: 'Linda',
  isActive: false,
})
const dana = sampleUser({
  id: 'dana',
  email: 'dana@guidon.example',
  firstName: 'Dana',
  role: 'ADMIN',
})

interface Options {
  replies?: Record<string, Reply>
  users?: readonly ManagedUser[]
  role?: Role
}

export async function openDialog(
  action: 'Edit' | 'View Documents',
  firstName: string,
  { replies = {}, users = [maria, linda, dana], role = 'ADMIN' }: Options = {},
) {
  const listingReply = () => reply(200, { users, total: users.length, next: null })
  const allReplies: Record<string, Reply> = {
    '/auth/check-auth': () => reply(200, { user: { ...james, email: dana.email, role } }),
    '/admin/users?sortBy=createdAt&order=desc&limit=10': listingReply,
    '/admin/users?sortBy=createdAt&order=desc&limit=100000': listingReply,
    ...Object.fromEntries(
      users.flatMap(({ id }) => [
        [`/admin/users/${id}/refusals`, () => reply(200, [])],
        [`/admin/users/${id}/folder`, () => reply(200, { problem: null, otherOfContact: null })],
        [`/admin/users/${id}/email-reachable`, () => reply(200, { emailReachable: true })],
      ]),
    ),
    ...replies,
  }
  const requests = stubNetwork(allReplies)
  renderApp('/admin-dashboard')
  const menu = await screen.findByRole(
    'button',
    { name: `Actions for ${firstName} Alvarez` },
    { timeout: 15_000 },
  )
  fireEvent.click(menu)
  fireEvent.click(await screen.findByRole('menuitem', { name: action }))
  const title = action === 'Edit' ? 'Edit User' : 'User Documents'
  const dialog = within(await screen.findByRole('dialog', { name: title }, { timeout: 15_000 }))
  const isChange = (path: string) =>
    path.startsWith('/admin/users/') &&
    !/\/(refusals|email-reachable|folder|(contact|folder\/preview)\?.*)$/.test(path)
  const sent = () => requests.filter(({ path }) => isChange(path))
  return { replies: allReplies, dialog, menu, sent }
}

export const advanceSeconds = (seconds: number) =>
  act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
export const typeInto = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
export const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
