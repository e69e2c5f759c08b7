import { expect, inject, it } from 'vitest'
import { connected, newDatabase } from '../test/databases.ts'
import { migrateAll } from './compose.ts'
import { parseConfig } from './config.ts'
import { createLog } from './http/log.ts'

it('lets any number of processes start at once on an empty database', async () => {
  const url = await newDatabase()
  const config = parseConfig({ ...inject('environment'), DATABASE_URL: url })
  const log = createLog('silent', 'test')
  await Promise.all(Array.from({ length: 6 }, () => migrateAll(config, log)))
  await migrateAll(config, log)

  const sql = await connected(url)
  const { rows } = await sql.query('select count(*)::int as n from users')
  expect(rows).toEqual([{ n: 0 }])
  await sql.end()
})
