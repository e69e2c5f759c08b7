import { randomUUID } from 'node:crypto'
import type { Account as DemoAccount } from '@guidon/sandbox/stack/demo-accounts'

export type Account = DemoAccount

export const PASSWORD = 'Harbor-Lantern-42!'

/** A new account in the format of `admin create-users`. */
export const newAccount = (
  role: Account['role'] = 'USER',
  email = `james.${randomUUID().slice(0, 8)}@example.com`,
) => ({
  email,
  password: PASSWORD,
  firstName: 'James',
  lastName: 'Whitfield',
  phone: '6195550134',
  state: 'California' as const,
  role,
})
