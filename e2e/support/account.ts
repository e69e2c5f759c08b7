import { randomUUID } from 'node:crypto'
import type { Person } from '@guidon/sandbox/stack/demo-people'

export type Account = Person

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
