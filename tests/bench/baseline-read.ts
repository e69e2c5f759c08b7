import { Pool } from 'pg'
import { READS, sessionParameters } from './reads.ts'
import type { ReadName, Rows, Statements } from './reads.ts'
import { accessHasher } from './veterans.ts'

/** As many connections as an API process has. */
const POOL = 10

export interface Baseline {
  database: string
  tokenKey: string
  statements: Statements
}

/** Does the minimum work of a dashboard read: hashes the token and runs two prepared statements. */
export function readBaseline({ database, tokenKey, statements }: Baseline) {
  const pool = new Pool({ connectionString: database, max: POOL, options: '-c role=guidon_app' })
  const hash = accessHasher(tokenKey)
  const read = async (name: ReadName, veteran: number): Promise<unknown> => {
    const session = await pool.query<{ id: string }>({
      name: 'session',
      text: statements.session,
      values: sessionParameters(hash(veteran)),
    })
    const [user] = session.rows
    if (user === undefined) throw new Error(`veteran ${veteran} is not signed in`)
    const { parameters, present } = READS[name]
    const values = parameters(user.id)
    const { rows } = await pool.query<Rows[number]>({ name, text: statements.reads[name], values })
    return present(rows)
  }
  return { read, close: () => pool.end() }
}
