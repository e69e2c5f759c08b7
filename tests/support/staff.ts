import type { Role } from '@guidon/contract/account'
import { boot } from './boot.ts'
import { userIdOf } from './databases.ts'

/** Starts the app with a signed-in member of staff. */
export async function bootWithStaff(environment: Record<string, string> = {}) {
  const testApp = await boot({ environment })
  const { sql } = testApp

  const newAccount = async (role: Role = 'USER') => {
    const account = await testApp.account(role)
    return { ...account, id: await userIdOf(sql, account.email) }
  }
  const staffAccount = await newAccount('STAFF')

  return {
    testApp,
    newAccount,
    staffAccount,
    staff: await testApp.withSession(staffAccount),
    eventsOf: async (userId: string, event: string) => {
      const { rows } = await sql.query<{ actor: string; details: object }>(
        `select actor_id as actor, details from audit_events where subject_id = $1 and event = $2`,
        [userId, event],
      )
      return rows
    },
  }
}
