import { randomUUID } from 'node:crypto'
import { logout } from '@guidon/contract/auth'
import { getDocuments } from '@guidon/contract/documents'
import {
  createHandOff,
  endHandOff,
  getHandOff,
  getSlot,
  HAND_OFFS_OF_ACCOUNT,
  handOffGone,
  handOffTaken,
  openHandOff,
  reportPages,
  WRONG_HAND_OFFS_FROM_ADDRESS,
} from '@guidon/contract/hand-off'
import { getActivity } from '@guidon/contract/manage-users'
import { boot } from '@guidon/tests/boot'
import { hashOf, listOf, newFile, WAIT_OPTIONS } from '@guidon/tests/documents'
import {
  bootWithHandOffs,
  create,
  newToken,
  open,
  refusal,
  sendFile,
  stateOf,
} from '@guidon/tests/hand-off'
import { describe, expect, it } from 'vitest'

const { testApp, org, boxFile, veteran, handedOff, expire } = await bootWithHandOffs()
const { newClient, sql } = testApp

const openOnNewPhone = (token: string) => open(token, newClient())
const eventsOf = async (userId: string) =>
  (
    await sql.query<{ event: string; actor_id: string | null; details: object }>(
      `select event, actor_id, details from audit_events
       where subject_id = $1 and (event like 'hand_off%' or event = 'document_uploaded') order by at`,
      [userId],
    )
  ).rows

describe('a hand-off', () => {
  it('brings a document from the phone into the place of the request, and the computer sees each step', async () => {
    const { client, userId, contactId } = await veteran()
    const requested = await org.staff('request-document', {
      contactId,
      type: 'VA Decision Letter',
      name: 'Your decision letter',
    })
    await expect.poll(() => listOf(client), WAIT_OPTIONS).toMatchObject([{ id: requested }])
    const { id, token, secondsLeft } = await create(client, requested)
    expect(secondsLeft).toBe(15 * 60)
    expect(await stateOf(client, id)).toMatchObject({ state: 'waiting', pages: 0 })
    const phone = newClient()
    const opened = await open(token, phone)
    expect(opened).toMatchObject({ status: 200 })
    expect(opened.body).toEqual({
      name: 'Your decision letter',
      state: 'connected',
      secondsLeft: 15 * 60,
    })
    expect(await stateOf(client, id)).toMatchObject({ state: 'connected', pages: 0 })
    await phone.call(reportPages, { body: { pages: 3 } })
    expect(await stateOf(client, id)).toMatchObject({ state: 'connected', pages: 3 })
    const file = newFile()
    expect(await sendFile(phone, file)).toMatchObject({ status: 204, body: '' })
    const [document] = await listOf(client)
    expect(document).toMatchObject({ name: file.name, sha256: hashOf(file.bytes) })
    expect(document!.request).toMatchObject({ name: 'Your decision letter' })
    expect(await stateOf(client, id)).toMatchObject({ state: 'arrived', documentId: document!.id })
    expect((await boxFile(file.name)).sha256).toBe(hashOf(file.bytes))
    expect(await eventsOf(userId)).toEqual([
      { event: 'hand_off_created', actor_id: userId, details: {} },
      { event: 'hand_off_opened', actor_id: null, details: {} },
      { event: 'document_uploaded', actor_id: null, details: { phone: true } },
    ])
    const { body: activity } = await client.call(getActivity, {})
    expect(activity.slice(0, 3).map(({ what }) => what)).toEqual([
      'Document uploaded from a phone',
      'Phone connected to send a document',
      'Code shown for sending a document from a phone',
    ])
  })

  it('stores no code, and hides the cookie of the phone from scripts and other sites', async () => {
    const { client, userId } = await veteran()
    const { token } = await create(client)
    const phone = newClient()
    const { headers } = await open(token, phone)
    expect(headers.get('set-cookie')).toMatch(
      /^guidon-phone=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    const { rows } = await sql.query('select * from hand_offs where user_id = $1', [userId])
    for (const secret of [token, phone.cookies.get('guidon-phone')!]) {
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'))
      expect(testApp.logged()).not.toContain(secret)
    }
    expect(await phone.call(getDocuments, {})).toMatchObject({ status: 401 })
  })

  it('is for the first phone: of twenty at once exactly one is connected', async () => {
    const { client, userId } = await veteran()
    const { token } = await create(client)
    const opened = await Promise.all(Array.from({ length: 20 }, () => openOnNewPhone(token)))
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = opened.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ body }) => body.message))).toEqual(new Set([handOffTaken.message]))
    expect((await eventsOf(userId)).map(({ event }) => event)).toEqual([
      'hand_off_created',
      'hand_off_opened',
    ])
  })

  it('is opened again by the same phone: after a lost response, by a reload, and by a second scan', async () => {
    const { client } = await veteran()
    const { token } = await create(client)
    const attempt = newToken()
    await open(token, newClient(), attempt)
    const phone = newClient()
    expect(await open(token, phone, attempt)).toMatchObject({ status: 200 })
    expect(await phone.call(getSlot, {})).toMatchObject({ status: 200 })
    expect(await open(token, phone)).toMatchObject({ status: 200 })
    expect(await phone.call(getSlot, {})).toMatchObject({ body: { state: 'connected' } })
  })

  it('gives the phone more time with each photo, but no more than an hour', async () => {
    const { client, userId, id, phone } = await handedOff()
    const age = (minutes: number) =>
      sql.query(
        `update hand_offs set created_at = created_at - make_interval(mins => $2),
           expires_at = expires_at - make_interval(mins => $2) where user_id = $1`,
        [userId, minutes],
      )
    for (const minutes of [10, 10, 10, 14]) {
      await age(minutes)
      await phone.call(reportPages, { body: { pages: 1 } })
      expect((await stateOf(client, id)).secondsLeft).toBeGreaterThan(14 * 60)
    }
    await age(10)
    const { body } = await phone.call(reportPages, { body: { pages: 2 } })
    expect(body.secondsLeft).toBeLessThanOrEqual(6 * 60)
  })
})

type End = [string, (handOff: Awaited<ReturnType<typeof handedOff>>) => Promise<unknown>]

const ENDS: End[] = [
  ['when the code has expired', ({ userId }) => expire(userId)],
  ['after the log out of the computer', ({ client }) => client.call(logout, {})],
  [
    'when the session of the computer is too old',
    ({ userId }) =>
      sql.query('update sessions set expires_at = now() where user_id = $1', [userId]),
  ],
  [
    'when the account is not active',
    ({ userId }) => sql.query('update users set is_active = false where id = $1', [userId]),
  ],
]

describe('once a document has arrived, its phone sees that it arrived and can do nothing else', () => {
  it.each(ENDS)('%s', async (_, end) => {
    const handOff = await handedOff()
    const { phone, token } = handOff
    const file = newFile()
    expect((await sendFile(phone, file)).status).toBe(204)
    await end(handOff)
    expect(await phone.call(getSlot, {})).toMatchObject({ body: { state: 'arrived' } })
    for (const response of [
      await openOnNewPhone(token),
      await open(token, phone),
      await phone.call(reportPages, { body: { pages: 1 } }),
      await sendFile(phone, file),
    ])
      expect(response).toMatchObject(refusal(handOffGone))
  })
})

describe('a code is refused with the same words', () => {
  it.each<End>([
    [
      'after the computer closed it',
      ({ client, id }) => client.call(endHandOff, { params: { id } }),
    ],
    ['after a newer one', ({ client }) => create(client)],
    ...ENDS,
  ])('%s', async (_, end) => {
    const handOff = await handedOff()
    await end(handOff)
    const { phone, token } = handOff
    for (const response of [
      await openOnNewPhone(token),
      await open(token, phone),
      await phone.call(getSlot, {}),
      await phone.call(reportPages, { body: { pages: 1 } }),
      await sendFile(phone),
    ])
      expect(response).toMatchObject(refusal(handOffGone))
    const { rows } = await sql.query('select from documents where user_id = $1', [handOff.userId])
    expect(rows).toEqual([])
  })

  it('when it does not exist; after many of these from one address there is a wait, but not for a real code', async () => {
    const strict = await boot({
      worker: false,
      database: testApp.config.DATABASE_URL,
      environment: { ADDRESS_LIMIT_FACTOR: '1' },
    })
    const scan = (token: string) =>
      strict.newClient().call(openHandOff, {
        body: { token, attempt: newToken() },
        headers: { 'x-forwarded-for': '203.0.113.7' },
      })
    const guesses = await Promise.all(
      Array.from({ length: WRONG_HAND_OFFS_FROM_ADDRESS + 5 }, () => scan(newToken())),
    )
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5)
    const gone = guesses.filter(({ status }) => status === 404)
    expect(gone[0]).toMatchObject(refusal(handOffGone))
    expect(gone).toHaveLength(WRONG_HAND_OFFS_FROM_ADDRESS)
    const { client } = await veteran()
    expect((await scan((await create(client)).token)).status).toBe(200)
  })

  it.each(['', 'a', '\0'.repeat(43), `${'a'.repeat(42)}\n`, 'é'.repeat(43), 'a'.repeat(64_000)])(
    'except if it is malformed: then as invalid input',
    async (token) => {
      const { status } = await openOnNewPhone(token)
      expect(status).toBe(422)
    },
  )
})

describe('the computer', () => {
  it('sees and ends only hand-offs of its own account', async () => {
    const { client, id, phone } = await handedOff()
    const other = await veteran()
    for (const wrong of [id, randomUUID(), 'not-an-id'])
      expect(await other.client.call(getHandOff, { params: { id: wrong } })).toMatchObject({
        status: 404,
      })
    await other.client.call(endHandOff, { params: { id } })
    expect(await phone.call(getSlot, {})).toMatchObject({ status: 200 })
    expect(await stateOf(client, id)).toMatchObject({ state: 'connected' })
  })

  it('gets no code for a document that was requested from somebody else', async () => {
    const [one, other] = [await veteran(), await veteran()]
    const requested = await org.staff('request-document', {
      contactId: one.contactId,
      type: 'VA Decision Letter',
    })
    await expect.poll(() => listOf(one.client), WAIT_OPTIONS).toMatchObject([{ id: requested }])
    const response = await other.client.call(createHandOff, {
      body: { documentType: 'Other', documentId: requested },
    })
    expect(response.status).toBe(404)
  })

  it('gets a limited number of codes, and only one of them is stored', async () => {
    const { client, userId } = await veteran()
    const responses = await Promise.all(
      Array.from({ length: HAND_OFFS_OF_ACCOUNT + 5 }, () =>
        client.call(createHandOff, { body: { documentType: 'Other' } }),
      ),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(HAND_OFFS_OF_ACCOUNT)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(5)
    const { rowCount } = await sql.query('select from hand_offs where user_id = $1', [userId])
    expect(rowCount).toBe(1)
  })

  it('sees that the time is over', async () => {
    const { client, userId, id } = await handedOff()
    await expire(userId)
    expect(await stateOf(client, id)).toMatchObject({ state: 'expired', secondsLeft: 0 })
  })
})
