import { connected, emptyDatabase } from '@guidon/tests/databases'
import { expect, inject, it } from 'vitest'
import { openPool } from './database.ts'

it('fails the query, not the process, when a connection in use is lost', async () => {
  const url = await emptyDatabase()
  const pool = openPool({
    url,
    size: 1,
    statementTimeoutMs: 0,
    asOwner: true,
    onIdleError: () => {},
  })
  const operator = await connected(inject('clusterUrl'))
  const client = await pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise((resolve) => client.once('end', resolve))
  await operator.query('select pg_terminate_backend($1)', [rows[0]!.pid])
  await ended
  await expect(client.query('select 1')).rejects.toThrow(/connection/i)
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await Promise.all([pool.end(), operator.end()])
})
