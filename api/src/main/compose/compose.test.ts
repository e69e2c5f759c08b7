import { randomUUID } from 'node:crypto'
import { runOnCluster, connected, emptyDatabase } from '@guidon/tests/databases'
import { expect, inject, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { parseConfig } from '../config/config.ts'
import { migrateAll } from './compose.ts'

it('lets several processes start at once on an empty database', async () => {
  const url = await emptyDatabase()
  const config = parseConfig({ ...inject('environment'), DATABASE_URL: url })
  const log = createLog('silent', 'test')
  await Promise.all(Array.from({ length: 6 }, () => migrateAll(config, log)))
  await migrateAll(config, log)

  const sql = await connected(url)
  const { rows } = await sql.query('select count(*)::int as n from users')
  expect(rows).toEqual([{ n: 0 }])
  await sql.end()
})

it('starts with a login that is only a member of guidon_app, after the owner has migrated', async () => {
  const owner = await emptyDatabase()
  const config = (DATABASE_URL: string) =>
    parseConfig({ ...inject('environment'), DATABASE_URL, DATABASE_OWNER_URL: undefined })
  const log = createLog('silent', 'test')
  await migrateAll(config(owner), log)

  const member = `member_${randomUUID().replaceAll('-', '')}`
  await runOnCluster(`create role ${member} login password 'only-a-member' in role guidon_app`)
  const url = new URL(owner)
  Object.assign(url, { username: member, password: 'only-a-member' })
  try {
    await expect(migrateAll(config(url.href), log)).resolves.toBeUndefined()
  } finally {
    await runOnCluster(`drop role ${member}`)
  }
})
