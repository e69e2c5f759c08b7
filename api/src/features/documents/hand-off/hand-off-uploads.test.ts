import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { documentExists } from '@guidon/contract/documents'
import {
  endHandOff,
  getSlot,
  HAND_OFF_TRIES,
  handOffGone,
  handOffTooManyTries,
  handOffUsed,
  sendFromPhone,
} from '@guidon/contract/hand-off'
import { listOf, newFile, newPdf, WAIT_OPTIONS } from '@guidon/tests/documents'
import { bootWithHandOffs, create, open, refusal, sendFile, stateOf } from '@guidon/tests/hand-off'
import { formOf } from '@guidon/tests/test-client'
import type { TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'
import { tokens } from '../../../platform/tokens.ts'

const { testApp, handedOff, expire } = await bootWithHandOffs()

/** Sends half of the file. Returns a function that sends the rest and returns the status. */
async function startToSend(phone: TestClient, file: ReturnType<typeof newFile>) {
  const form = new Response(formOf(file))
  const body = Buffer.from(await form.arrayBuffer())
  const upload = request(testApp.base + sendFromPhone.path, {
    method: 'POST',
    agent: false,
    headers: {
      origin: testApp.config.PUBLIC_URL,
      cookie: `guidon-phone=${phone.cookies.get('guidon-phone')}`,
      'content-type': form.headers.get('content-type')!,
      'content-length': body.length,
    },
  })
  upload.write(body.subarray(0, body.length / 2))
  return async () => {
    upload.end(body.subarray(body.length / 2))
    const [response] = (await once(upload, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
}

describe('the file of a phone', () => {
  it('that is sent again after a lost response is the same document, and another one is refused', async () => {
    const { client, phone } = await handedOff()
    const file = newFile()
    for (let times = 0; times < 3; times += 1)
      expect(await sendFile(phone, file)).toMatchObject({ status: 204 })
    expect(await listOf(client)).toHaveLength(1)
    expect(await sendFile(phone)).toMatchObject(refusal(handOffUsed))
    expect(await listOf(client)).toHaveLength(1)
    expect(await phone.call(getSlot, {})).toMatchObject({ body: { state: 'arrived' } })
  })

  it('is accepted once, although three files or three copies of one are sent at once', async () => {
    const { client, phone } = await handedOff()
    const different = await Promise.all([sendFile(phone), sendFile(phone), sendFile(phone)])
    expect(different.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409, 409])
    expect(await listOf(client)).toHaveLength(1)
    const other = await handedOff()
    const file = newFile()
    const copies = await Promise.all([1, 2, 3].map(() => sendFile(other.phone, file)))
    expect(copies.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(await listOf(other.client)).toHaveLength(1)
  })

  it('that is refused leaves the hand-off open for another one', async () => {
    const { client, id, phone } = await handedOff()
    const refused = await sendFile(phone, { name: 'x.pdf', bytes: Buffer.from('PK\u0003\u0004') })
    expect(refused.status).toBe(415)
    expect(await stateOf(client, id)).toMatchObject({ state: 'connected' })
    const file = newFile()
    await sendFile(phone, file)
    const next = await create(client)
    await open(next.token, phone)
    expect(await sendFile(phone, { ...newFile(), name: file.name })).toMatchObject(
      refusal(documentExists),
    )
    expect(await sendFile(phone)).toMatchObject({ status: 204 })
    expect(await listOf(client)).toHaveLength(2)
  })

  it('that is refused does not spend the day of the owner, but a try of the code', async () => {
    const { client, userId, id, phone } = await handedOff()
    const counted = async (name: string) => {
      const key = tokens(testApp.config.TOKEN_KEY).hash('limit', `${name}\0${userId}`)
      return (await testApp.sql.query('select count from limits where key = $1', [key])).rows
    }
    const wrong = { name: 'x.pdf', bytes: Buffer.from('no PDF') }
    expect((await sendFile(phone, wrong)).status).toBe(415)
    expect(await counted('upload')).toEqual([])
    expect(await counted('upload megabytes')).toEqual([])
    expect(await counted('phone megabytes')).toEqual([{ count: 1 }])
    await testApp.sql.query('update hand_offs set tries = $2 where id = $1', [id, HAND_OFF_TRIES])
    expect(await sendFile(phone, wrong)).toMatchObject(refusal(handOffTooManyTries))
    const next = await create(client)
    await open(next.token, phone)
    expect((await sendFile(phone)).status).toBe(204)
  })

  it('of some megabytes leaves no unfinished upload when it is sent again', async () => {
    const { userId, phone } = await handedOff()
    const file = { ...newFile(), bytes: newPdf(2_500_000) }
    for (let times = 0; times < 2; times += 1)
      expect(await sendFile(phone, file)).toMatchObject({ status: 204 })
    const { rows } = await testApp.sql.query('select from unfinished_uploads where user_id = $1', [
      userId,
    ])
    expect(rows).toEqual([])
  })

  it('is still being sent when an earlier transfer fails', async () => {
    const { client, id, phone } = await handedOff()
    const first = await startToSend(phone, { name: 'x.pdf', bytes: Buffer.alloc(1_000) })
    await expect.poll(() => stateOf(client, id), WAIT_OPTIONS).toMatchObject({ state: 'sending' })
    const since = async () =>
      (await testApp.sql.query('select sending_since as at from hand_offs where id = $1', [id]))
        .rows[0]
    const before = await since()
    const second = await startToSend(phone, newFile())
    await expect.poll(since, WAIT_OPTIONS).not.toEqual(before)
    expect(await first()).toBe(415)
    expect(await stateOf(client, id)).toMatchObject({ state: 'sending' })
    expect(await second()).toBe(204)
  })

  it('does not arrive if the account is deactivated while it is being sent', async () => {
    const { client, userId, id, phone } = await handedOff()
    const end = await startToSend(phone, newFile())
    await expect.poll(() => stateOf(client, id), WAIT_OPTIONS).toMatchObject({ state: 'sending' })
    await testApp.sql.query('update users set is_active = false where id = $1', [userId])
    expect(await end()).toBe(handOffGone.status)
    const { rows } = await testApp.sql.query('select from documents where user_id = $1', [userId])
    expect(rows).toEqual([])
  })

  it('arrives although the computer closes the code while it is being sent', async () => {
    const { client, userId, id, phone } = await handedOff()
    const end = await startToSend(phone, newFile())
    await expect.poll(() => stateOf(client, id), WAIT_OPTIONS).toMatchObject({ state: 'sending' })
    await client.call(endHandOff, { params: { id } })
    await expire(userId)
    expect(await end()).toBe(204)
    expect(await stateOf(client, id)).toMatchObject({ state: 'arrived' })
  })
})
