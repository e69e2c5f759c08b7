import type { Role, SignedInUser } from '@guidon/contract/account'
import type { ManagedUser } from '@guidon/contract/manage-users'

/** What the server would refuse is not offered. Staff act on veterans' accounts only. */
export function mayEdit(actor: Role, { role }: ManagedUser): boolean {
  return actor === 'ADMIN' || role === 'USER'
}

export function mayDelete(actor: Pick<SignedInUser, 'role' | 'email'>, user: ManagedUser): boolean {
  return mayEdit(actor.role, user) && user.isActive && user.email !== actor.email
}
