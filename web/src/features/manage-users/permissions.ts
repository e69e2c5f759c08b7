import type { Role, SignedInUser } from '@guidon/contract/account'
import type { ManagedUser } from '@guidon/contract/manage-users'

/** The server's rule: staff may edit veterans' accounts only. */
export function mayEdit(actor: Role, { role }: ManagedUser): boolean {
  return actor === 'ADMIN' || role === 'USER'
}

export function mayDelete(actor: Pick<SignedInUser, 'role' | 'email'>, user: ManagedUser): boolean {
  return mayEdit(actor.role, user) && user.isActive && user.email !== actor.email
}
