import { login } from '@guidon/contract/auth'
import { pathOf } from '@guidon/contract/endpoint'
import type { Endpoint } from '@guidon/contract/endpoint'
import { endpoints } from '@guidon/contract/endpoints'
import { openHandOff } from '@guidon/contract/hand-off'
import type { TestApp } from '../../support/boot.ts'
import { newToken } from '../../support/hand-off.ts'
import { mailbox } from '../../support/mailbox.ts'
import type { TestClient } from '../../support/test-client.ts'
import { ANSWERS, EMAIL, NAME } from '../../support/veteran-with-data.ts'
import { addHandOff, bodies, HEADERS, params, queries } from './valid-requests.ts'
import type { Account } from './valid-requests.ts'

const WITH_CHALLENGE = new Set(['verifyLogin', 'resendVerificationCode', 'verifyEmail'])
/** The contract does not require a session, but they do nothing without one. */
const ENDS_OR_RENEWS = new Set(['refresh', 'logout'])
const OF_PHONE = new Set(['getSlot', 'reportPages', 'sendFromPhone'])
/** The account in their path is the planted one. */
const ABOUT_ACCOUNT = new Set([
  'getProgressOf',
  'getCrmRefusals',
  'getEmailReachable',
  'getDeliveriesOf',
  'updateUser',
  'deactivateUser',
  'reactivateUser',
  'resetUserPassword',
])
const BROKEN = `{"email":"${EMAIL}","city":"${ANSWERS.city}","street":"${ANSWERS.street}",`

/** Calls every endpoint once as the planted veteran, or as staff about them, and once with broken input. */
export async function callEveryEndpoint(testApp: TestApp, veteran: Account & { userId: string }) {
  const { newClient, withSession, account } = testApp
  const [bodyOf, paramsOf, queryOf] = [bodies(testApp), params(testApp), queries(testApp)]
  const admin = await account('ADMIN')

  let code = ''
  /** Waits for the code, so that the next sign-in does not take it for its own. */
  const receiveCode = async (signIn: () => Promise<unknown>) => {
    const nextCode = await mailbox.nextCode(EMAIL)
    await signIn()
    code = await nextCode()
  }
  const clientFor = async (name: string, { session, roles }: Endpoint): Promise<TestClient> => {
    if (WITH_CHALLENGE.has(name)) {
      const client = newClient()
      await receiveCode(() => client.call(login, { body: veteran }))
      return client
    }
    if (OF_PHONE.has(name)) {
      const client = newClient()
      const { token } = await addHandOff(testApp, EMAIL)
      await client.call(openHandOff, { body: { token, attempt: newToken() } })
      return client
    }
    if (session === 'none' && !ENDS_OR_RENEWS.has(name)) return newClient()
    return withSession(roles && !roles.includes('USER') ? admin : veteran)
  }

  const statuses: Record<string, number> = {}
  const secrets = new Set<string>()
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const client = await clientFor(name, endpoint)
    const target = ABOUT_ACCOUNT.has(name) ? { id: veteran.userId } : await paramsOf[name]?.(EMAIL)
    const path = pathOf(endpoint, (target ?? {}) as never)
    const search = name === 'listUsers' ? { q: NAME.lastName } : await queryOf[name]?.()
    const query = new URLSearchParams(search)
    const codeBody = name === 'verifyLogin' ? { email: EMAIL, code } : undefined
    const body = codeBody ?? (await bodyOf[name]?.(veteran))
    const url = query.size > 0 ? `${path}?${query.toString()}` : path
    const send = async () => {
      const { status } = await client.send(endpoint.method, url, body, HEADERS[name])
      statuses[name] = status
    }
    await (name === 'login' ? receiveCode(send) : send())
    if (endpoint.method !== 'GET' && endpoint.method !== 'HEAD')
      await client.send(endpoint.method, path, BROKEN)
    for (const token of client.cookies.values()) secrets.add(token)
  }
  await newClient().send('GET', `/${EMAIL}/${encodeURIComponent(ANSWERS.street)}?email=${EMAIL}`)
  return { statuses, secrets: [...secrets] }
}
