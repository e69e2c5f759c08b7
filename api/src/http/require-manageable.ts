import type { Role } from '@guidon/contract/account'
import { veteransOnly } from '@guidon/contract/manage-users'
import { notFound } from '@guidon/contract/refusal'
import { refuse } from './refuse.ts'

/**
 * Staff manage the accounts of veterans, administrators all accounts. The two refusals may differ, because staff can
 * list every account anyway.
 */
export function requireManageable<Account extends { role: Role }>(
  actor: { role: Role },
  target: Account | undefined,
): Account {
  if (!target) throw refuse(notFound)
  if (actor.role !== 'ADMIN' && target.role !== 'USER') throw refuse(veteransOnly)
  return target
}
