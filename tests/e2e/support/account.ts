import { randomUUID } from 'node:crypto'
import type { Account as NewAccount } from '@guidon/sandbox/stack/demo-accounts'

export type Account = NewAccount

export function newAccount(role: Account['role'] = 'USER'): Account {
  return {
    email: `james.${randomUUID().slice(0, 8)}@example.com`,
    password: 'Copper7!lantern-harbor',
    firstName: 'James',
    lastName: 'Whitfield',
    phone: '6195550134',
    state: 'California',
    role,
  }
}
