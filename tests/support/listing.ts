import { randomUUID } from 'node:crypto'
import { listUsers } from '@guidon/contract/manage-users'
import type { ManagedUser } from '@guidon/contract/manage-users'
import { expect } from 'vitest'
import { boot } from './boot.ts'

export interface Listed {
  users: ManagedUser[]
  total: number
  next: string | null
}

type ListingQuery = Record<string, string | number>

export const lastNames = ({ users }: Listed) => users.map(({ lastName }) => lastName)

export const ODD_NAMES = [
  `O'Brien "Bo" \\ Smith`,
  'back\\\\slashes\\n',
  'tab\tnew\nline\r\n',
  '\\.',
  'N\\A \u0001\u0002\u001f',
  '💙 Ñandú </script>',
  'comma, {"list":[1]}',
  '',
]

/** Starts the app with a signed-in member of staff who lists accounts. */
export async function bootWithListing() {
  const testApp = await boot()
  const { sql } = testApp
  const staff = await testApp.withSession(await testApp.account('STAFF'))

  /** Parses by the schema of the contract, because the server does not check the stream. */
  const list = async (query: ListingQuery = {}): Promise<Listed> => {
    const parts = Object.entries(query).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    )
    const { status, body } = await staff.send('GET', `${listUsers.path}?${parts.join('&')}`)
    expect(status).toBe(200)
    return listUsers.response.parse(body)
  }

  return {
    testApp,
    staff,
    list,
    /** Lists every page, from the first to the last. */
    pages: async (query: ListingQuery): Promise<Listed[]> => {
      const all = [await list(query)]
      for (let { next } = all[0]!; next !== null; { next } = all.at(-1)!) {
        all.push(await list({ ...query, cursor: next }))
      }
      return all
    },
    /** Inserts accounts into the table, also with names that no form accepts. */
    add: async (
      accounts: Partial<Record<'email' | 'first' | 'last' | 'role' | 'phone', string>>[],
    ) => {
      const rows = accounts.map(({ email = `${randomUUID()}@example.com`, ...account }) => ({
        email,
        first: 'James',
        last: 'Whitfield',
        role: 'USER',
        phone: '6195550134',
        ...account,
      }))
      await sql.query(
        `insert into users (email, password_hash, first_name, last_name, phone, state, role)
         select email, 'none', first, last, phone, 'California', role
         from jsonb_to_recordset($1)
           as given (email text, first text, last text, role text, phone text)`,
        [JSON.stringify(rows)],
      )
    },
    /** The details of each view of the listing in the audit log. */
    viewsRecorded: async (): Promise<object[]> => {
      const { rows } = await sql.query<{ details: object }>(
        `select details from audit_events where event = 'users_listed' order by transaction, id`,
      )
      return rows.map(({ details }) => details)
    },
  }
}
