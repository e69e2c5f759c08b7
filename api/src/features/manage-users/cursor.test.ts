import { listUsers, pageGone } from '@guidon/contract/manage-users'
import { bootWithListing } from '@guidon/tests/listing'
import { describe, expect, it, vi } from 'vitest'

const { testApp, staff, list, viewsRecorded } = await bootWithListing()
const { sql } = testApp
// A second account, so that there is a second page.
await testApp.account()

describe('a cursor', () => {
  const wanted = { sortBy: 'email', order: 'asc', limit: 1 }
  const sendWith = (client: typeof staff, parts: Record<string, string | number>) => {
    const texts = Object.entries(parts).map(([name, value]) => [name, String(value)])
    const query = new URLSearchParams(Object.fromEntries(texts) as Record<string, string>)
    return client.send('GET', `${listUsers.path}?${query.toString()}`)
  }

  const encode = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const nobody = '00000000-0000-0000-0000-000000000000'

  it.each([
    ['nonsense', 'nonsense'],
    ['made by hand', encode('', nobody, false, 0)],
    ['made by hand with a signature', `${encode('', nobody, false, 0, 1, 9e15)}.${'A'.repeat(43)}`],
    ['a thousand dots', '.'.repeat(1_000)],
  ])('that is %s is refused with a message, and the refusal is recorded', async (_what, cursor) => {
    const before = (await viewsRecorded()).length
    const { status, body } = await sendWith(staff, { ...wanted, cursor })
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: pageGone.code, message: pageGone.message },
    })
    expect((await viewsRecorded()).length).toBe(before)
    const { rows } = await sql.query(
      `select from audit_events where event = 'staff_action_refused'
         and details @> '{"action": "GET /admin/users", "status": 422}'`,
    )
    expect(rows.length).toBeGreaterThan(0)
  })

  it('is valid for the same member of staff and the same query only', async () => {
    const { next: cursor } = await list(wanted)
    const colleague = await testApp.withSession(await testApp.account('STAFF'))
    const foreign = await sendWith(colleague, { ...wanted, cursor: cursor! })
    expect(foreign.status).toBe(422)
    for (const change of [
      { sortBy: 'lastName' },
      { order: 'desc' },
      { q: 'whitfield' },
      { role: 'USER' },
      { status: 'notLinked' },
    ]) {
      expect((await sendWith(staff, { ...wanted, ...change, cursor: cursor! })).status).toBe(422)
    }
    expect((await sendWith(staff, { ...wanted, cursor: cursor! })).status).toBe(200)
  })

  it('expires with the longest session of staff', async () => {
    await testApp.account()
    const { next: cursor } = await list(wanted)
    expect((await sendWith(staff, { ...wanted, cursor: cursor! })).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 3_600_000 + 1_000 })
    try {
      expect((await sendWith(staff, { ...wanted, cursor: cursor! })).status).toBe(422)
    } finally {
      vi.useRealTimers()
    }
  })
})
