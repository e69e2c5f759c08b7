import { randomBytes } from 'node:crypto'
import { createHandOff, getHandOff, openHandOff, sendFromPhone } from '@guidon/contract/hand-off'
import type { Refusal } from '@guidon/contract/refusal'
import { bootWithDocuments, newFile } from './documents.ts'
import type { TestClient } from './test-client.ts'

export const newToken = () => randomBytes(32).toString('base64url')

export const create = async (client: TestClient, documentId?: string) =>
  (await client.call(createHandOff, { body: { documentType: 'DD Form 214', documentId } })).body
export const stateOf = async (client: TestClient, id: string) =>
  (await client.call(getHandOff, { params: { id } })).body
export const open = (token: string, phone: TestClient, attempt = newToken()) =>
  phone.call(openHandOff, { body: { token, attempt } })
export const sendFile = (phone: TestClient, file = newFile()) => phone.upload(sendFromPhone, file)

export const refusal = ({ status, code, message }: Refusal) => ({ status, body: { code, message } })

export async function bootWithHandOffs() {
  const booted = await bootWithDocuments()
  const { newClient, sql } = booted.testApp
  return {
    ...booted,
    /** A veteran with a code on the computer, and a phone that has opened it. */
    handedOff: async () => {
      const { client, userId } = await booted.veteran()
      const { id, token } = await create(client)
      const phone = newClient()
      await open(token, phone)
      return { client, userId, id, token, phone }
    },
    expire: (userId: string) =>
      sql.query(
        `update hand_offs set expires_at = now() - interval '1 second' where user_id = $1`,
        [userId],
      ),
  }
}
