import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { documentExists } from '@guidon/contract/documents'
import { endHandOff, getSlot, handOffUsed, sendFromPhone } from '@guidon/contract/hand-off'
import { describe, expect, it } from 'vitest'
import { listOf, WAIT_OPTIONS } from '../../../test/documents.ts'
import {
  bootWithHandOffs,
  create,
  newFile,
  open,
  refusal,
  sendFile,
  stateOf,
} from '../../../test/hand-off.ts'
import { formOf } from '../../../test/test-client.ts'

const { testApp, handedOff, expire } = await bootWithHandOffs()

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

  it('arrives although the computer closes the code while it is being sent', async () => {
    const { client, userId, id, phone } = await handedOff()
    const form = new Response(formOf(newFile()))
    const body = Buffer.from(await form.arrayBuffer())
    const upload = request(testApp.base + sendFromPhone.path, {
      method: 'POST',
      headers: {
        origin: testApp.config.PUBLIC_URL,
        cookie: `guidon-phone=${phone.cookies.get('guidon-phone')}`,
        'content-type': form.headers.get('content-type')!,
        'content-length': body.length,
      },
    })
    upload.write(body.subarray(0, body.length / 2))
    await expect.poll(() => stateOf(client, id), WAIT_OPTIONS).toMatchObject({ state: 'sending' })
    await client.call(endHandOff, { params: { id } })
    await expire(userId)
    upload.end(body.subarray(body.length / 2))
    const [response] = (await once(upload, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(204)
    expect(await stateOf(client, id)).toMatchObject({ state: 'arrived' })
  })
})
