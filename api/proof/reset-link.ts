import { forgotPassword } from '@guidon/contract/password'
import { mailbox } from '../test/mailbox.ts'
import type { TestClient } from '../test/test-client.ts'

/** Hard to guess, and nobody's in these proofs before it is set. */
export const NEW_PASSWORD = 'Meadow-Compass-87!'

/** Asks for a link to a new password and takes its token out of the mail. */
export async function resetTokenFor(client: TestClient, email: string): Promise<string> {
  let [last] = await mailbox.mailsTo(email, { waitMs: 0 })
  await client.call(forgotPassword, { body: { email } })
  // Other mails to the same person, such as of a new device, may come in between.
  for (;;) {
    const mails = await mailbox.mailsTo(email, { after: last?.id ?? '' })
    if (mails.length === 0) throw new Error(`no link arrived for ${email}`)
    for (const { text } of mails) {
      const token = text.match(/\?token=([\w-]+)/)?.[1]
      if (token) return token
    }
    last = mails[0]
  }
}

export const resetWith = (token: string) => ({
  body: { token, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD },
})
