import { checkAuth, login } from '@guidon/contract/auth'
import { boot } from '@guidon/tests/boot'
import { runOnCluster } from '@guidon/tests/databases'
import { describe, expect, it, vi } from 'vitest'

describe('an unexpected failure', () => {
  it('sends no message, and logs the stack of the error without its message', async () => {
    const testApp = await boot({ worker: false })
    await testApp.sql.query('alter table users rename to users_gone')
    const body = { email: 'james@example.com', password: 'Harbor-Lantern-42!' }
    const response = await testApp.newClient().call(login, { body })
    expect(response).toMatchObject({ status: 500 })
    expect(response.body).toEqual({ code: 'unexpected' })
    expect(testApp.logged()).toContain('"code":"42P01"')
    expect(testApp.logged()).not.toContain('does not exist')
  })
})

describe('without space on the disk of PostgreSQL', () => {
  it('a write gets 503 and the time after which to repeat it', async () => {
    const testApp = await boot({ worker: false })
    const account = await testApp.account()
    await testApp.sql.query(
      `create function refuse_rows() returns trigger language plpgsql
       as $$ begin raise exception using errcode = 'disk_full'; end $$;
       create trigger full_disk before insert on challenges for each row execute function refuse_rows()`,
    )
    const response = await testApp.newClient().call(login, { body: account })
    expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(response.headers.get('retry-after')).toBe('5')
  })
})

describe('with a full disk of PostgreSQL, a signed-in veteran', () => {
  it('can read, although the last use of the session cannot be stored', async () => {
    const testApp = await boot({ worker: false })
    const client = await testApp.withSession(await testApp.account())
    await testApp.sql.query(
      `update sessions set last_seen_at = now() - interval '2 minutes';
       create function refuse_rows() returns trigger language plpgsql
       as $$ begin raise exception using errcode = 'disk_full'; end $$;
       create trigger full_disk before update on sessions for each row execute function refuse_rows()`,
    )
    expect((await client.call(checkAuth, {})).status).toBe(200)
  })
})

describe('without PostgreSQL', () => {
  it('a process is alive but not ready', async () => {
    const testApp = await boot({ worker: false })
    const client = testApp.newClient()
    const name = new URL(testApp.config.DATABASE_URL).pathname.slice(1)
    await testApp.sql.end()
    await runOnCluster(`alter database ${name} allow_connections false`)
    await runOnCluster(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    )
    expect(await client.send('GET', '/readyz')).toMatchObject({ status: 503 })
    expect(await client.send('GET', '/healthz')).toMatchObject({ status: 200 })
    client.cookies.set('guidon-access', 'A'.repeat(43))
    const { body } = await client.call(checkAuth, {})
    expect(['unexpected', 'unavailable']).toContain(body.code)

    await runOnCluster(`alter database ${name} allow_connections true`)
    await vi.waitFor(async () => expect((await client.send('GET', '/readyz')).status).toBe(200), {
      timeout: 60_000,
    })
  })
})
