import { forgotPassword } from '@guidon/contract/password'
import { mailbox } from './mailbox.ts'
import type { TestClient } from './test-client.ts'

/** Strong enough to be accepted, and different from every initial password. */
export const NEW_PASSWORD = 'Meadow-Compass-87!'

export async function resetTokenFor(client: TestClient, email: string): Promise<string> {
  let [last] = await mailbox.mailsTo(email, { waitMs: 0 })
  await client.call(forgotPassword, { body: { email } })
  // Other emails, such as a new-device notice, may arrive first.
  for (;;) {
    const mails = await mailbox.mailsTo(email, { after: last?.id ?? '' })
    if (mails.length === 0) throw new Error(`no reset link arrived for ${email}`)
    for (const { text } of mails) {
      const token = text.match(/\?token=([\w-]+)/)?.[1]
      if (token) return token
    }
    last = mails[0]
  }
}

export const resetWith = (token: string, newPassword = NEW_PASSWORD) => ({
  body: { token, newPassword, confirmPassword: newPassword },
})
