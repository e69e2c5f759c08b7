import { login, verifyLogin } from '@guidon/contract/auth'
import type { Mail, MailboxClient } from '@guidon/sandbox/mailbox/client'
import type { TestClient } from './test-client.ts'

/** Signs in with the password and the emailed code, which must be newer than the email `after`. */
export async function signIn(
  client: TestClient,
  { email, password }: { email: string; password: string },
  mailbox: MailboxClient,
  after?: Mail,
): Promise<TestClient> {
  const begun = await client.call(login, { body: { email, password } })
  if (begun.status !== 204) throw new Error(`the sign-in began with ${begun.status}`)
  const code = await mailbox.codeFor(email, { after: after?.id ?? '' })
  const verified = await client.call(verifyLogin, { body: { email, code } })
  if (verified.status !== 200) throw new Error(`the sign-in returned ${verified.status}`)
  return client
}
