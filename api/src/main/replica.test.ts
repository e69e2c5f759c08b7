import { join } from 'node:path'
import { deactivateUser, listUsers } from '@guidon/contract/manage-users'
import { boot } from '@guidon/tests/boot'
import { connected } from '@guidon/tests/databases'
import { replicatedDatabase } from '@guidon/tests/replicated-database'
import { expect, it, vi } from 'vitest'

const {
  dataDir,
  database,
  replica: replicaUrl,
  stopReplica,
  closeBeforeDatabases,
} = await replicatedDatabase()
const testApp = await boot({ database, environment: { DATABASE_READ_URL: replicaUrl } })
const replica = await connected(replicaUrl)
closeBeforeDatabases(() => replica.end().catch(() => {}))
closeBeforeDatabases(() => Promise.all([testApp.stopWorkers(), testApp.close(), testApp.sql.end()]))
const admin = await testApp.withSession(await testApp.account('ADMIN'))

const waitOptions = { timeout: 60_000, interval: 200 }
interface Listed {
  users: { id: string; email: string; isActive: boolean }[]
}
const searched = async (email: string) => {
  const response = await admin.send('GET', `${listUsers.path}?q=${encodeURIComponent(email)}`)
  expect(response.status).toBe(200)
  return (response.body as Listed).users
}
/** Retries, because the thread of whole listings has a low priority: on a busy machine, its connection may time out. */
const listed = () =>
  vi.waitFor(async () => {
    const response = await admin.send('GET', listUsers.path)
    return (response.body as Listed).users.map(({ email }) => email)
  }, waitOptions)
const waitUntilReplayed = (email: string) =>
  vi.waitUntil(async () => {
    const { rowCount } = await replica.query('select from users where email = $1', [email])
    return rowCount === 1
  }, waitOptions)

/** Waits, because `pg_wal_replay_pause()` only requests the pause. */
async function pauseReplay() {
  await replica.query('select pg_wal_replay_pause()')
  await vi.waitUntil(async () => {
    const { rows } = await replica.query<{ state: string }>(
      'select pg_get_wal_replay_pause_state() as state',
    )
    return rows[0]?.state === 'paused'
  }, waitOptions)
}

it('listings are read from the replica, but not after an own write, and not when it is behind', async () => {
  // Begins again if it takes ten seconds, as on a busy machine: the replica is then behind.
  const late = await vi.waitFor(async () => {
    await replica.query('select pg_wal_replay_resume()')
    admin.cookies.delete('guidon-wrote')
    const logged = testApp.logged().length
    const before = await testApp.account()
    await waitUntilReplayed(before.email)
    await pauseReplay()
    const after = await testApp.account()

    // The replica does not have it yet.
    expect(await searched(after.email)).toEqual([])
    expect(await listed()).toContain(before.email)
    expect(await listed()).not.toContain(after.email)

    const [found] = await searched(before.email)
    const { status } = await admin.call(deactivateUser, { params: { id: found!.id } })
    expect(status).toBe(204)
    expect(await searched(before.email)).toMatchObject([{ isActive: false }])
    expect(await listed()).toContain(after.email)
    expect(testApp.logged().slice(logged)).not.toContain('replica: not used')
    return after
  }, waitOptions)
  admin.cookies.delete('guidon-wrote')
  const logged = testApp.logged().length

  // More than ten seconds behind.
  await vi.waitUntil(async () => (await searched(late.email)).length === 1, waitOptions)
  expect(await listed()).toContain(late.email)
  expect(testApp.logged().slice(logged)).toContain('replica: not used')

  await replica.query('select pg_wal_replay_resume()')
  await waitUntilReplayed(late.email)
  await vi.waitUntil(async () => {
    await searched(late.email)
    return testApp.logged().slice(logged).includes('replica: used again')
  }, waitOptions)
})

it('listings and exports are read from the primary while the replica is gone', async () => {
  await stopReplica()
  const { email } = await testApp.account()
  expect(await searched(email)).toHaveLength(1)
  expect(await listed()).toContain(email)
  const folder = join(dataDir, 'export')
  expect(await testApp.admin.records.export(email, folder)).toBe(1)
})
