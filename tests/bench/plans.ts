import type { Client } from 'pg'
import { READ_NAMES, READS, sessionParameters } from './reads.ts'
import type { Statements } from './reads.ts'
import { accessHasher, MANY_DOCUMENTS } from './veterans.ts'

/** PostgreSQL plans each of the first five executions anew; the sixth is the first that may use a generic plan. */
const EXECUTIONS_UNTIL_GENERIC_PLAN = 6
/** Tables of a few rows, for which a sequential scan is the fastest plan. The run adds no intakes. */
const SMALL_TABLES = new Set(['crm_document_category', 'crm_user', 'crm_sync_cursor', 'intakes'])

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

interface Explained {
  Plan: Node
  'Execution Time': number
}

const FIND_BY_EMAIL = `select id, email, last_name, phone, portal_user_id
  from crm_contact where email = $1 and not deleted`

/** The veteran that `addManyDocuments` was called for. */
export const WITH_MANY_DOCUMENTS = 1

/** Explains each statement once PostgreSQL may use a generic plan. Returns the plans and whether all use an index. */
export async function readPlans(sql: Client, statements: Statements, tokenKey: string) {
  const accountOf = async (veteran: number) => {
    const { rows } = await sql.query<{ id: string; email: string }>(
      `select u.id, c.email from session_tokens t join sessions s on s.id = t.session_id
       join users u on u.id = s.user_id join case_contact c on c.user_id = u.id
       where t.access_hash = $1`,
      [accessHasher(tokenKey)(veteran)],
    )
    return rows[0]!
  }
  const { id, email } = await accountOf(0)
  const { id: heavyId } = await accountOf(WITH_MANY_DOCUMENTS)
  const hash = `\\x${accessHasher(tokenKey)(0).toString('hex')}`
  const plans = [
    await planOf(sql, 'session', statements.session, sessionParameters(hash)),
    await planOf(sql, 'findContactsByEmail', FIND_BY_EMAIL, [email]),
  ]
  for (const name of READ_NAMES) {
    const text = statements.reads[name]
    plans.push(await planOf(sql, name, text, READS[name].parameters(id)))
    const heavy = `${name} with ${MANY_DOCUMENTS} documents`
    plans.push(await planOf(sql, heavy, text, READS[name].parameters(heavyId)))
  }
  return { lines: plans.map(({ line }) => line), indexed: plans.every(({ indexed }) => indexed) }
}

async function planOf(sql: Client, name: string, text: string, parameters: unknown[]) {
  const values = parameters.map((value) => `'${String(value).replaceAll("'", "''")}'`)
  const execute = `execute "${name}" (${values.join(', ')})`
  await sql.query(`prepare "${name}" as ${text}`)
  for (let n = 0; n < EXECUTIONS_UNTIL_GENERIC_PLAN; n += 1) await sql.query(execute)
  const { rows } = await sql.query<{ 'QUERY PLAN': Explained[] }>(
    `explain (analyze, buffers, format json) ${execute}`,
  )
  await sql.query(`deallocate "${name}"`)
  const { Plan: plan, 'Execution Time': ms } = rows[0]!['QUERY PLAN'][0]!
  const nodes = nodesOf(plan)
  const indexed = nodes.every(
    (node) => node['Node Type'] !== 'Seq Scan' || SMALL_TABLES.has(node['Relation Name'] ?? ''),
  )
  const scans = nodes
    .filter((node) => node['Relation Name'] ?? node['Index Name'])
    .map((node) => `${node['Node Type']} on ${node['Index Name'] ?? node['Relation Name']}`)
  const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  return { indexed, line: `plan of ${name}: ${scans.join(', ')}; ${blocks} blocks, ${ms} ms` }
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
