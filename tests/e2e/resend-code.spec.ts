import { newAccount } from '../support/outside/account.ts'
import { enterCode } from './support/session.ts'
import { fillSignUp } from './support/sign-up-page.ts'
import { expect, test } from './support/test.ts'

// It waits for a real minute, by the clock of the server.
test.setTimeout(120_000)

test('a code can be sent again after a minute, with a banner that disappears', async ({
  page,
  mailbox,
}) => {
  const maria = newAccount()
  await page.goto('/signup')
  await fillSignUp(page, maria)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  const [first] = await mailbox.mailsTo(maria.email)
  const resend = page.getByRole('button', { name: 'Resend code' })
  await expect(resend).toBeEnabled({ timeout: 70_000 })
  await resend.click()
  const banner = page.getByText('A new verification code has been sent to your email')
  await expect(banner).toBeVisible()
  await expect(page.getByText(/Resend code in (1:00|0:5\d)/)).toBeVisible()
  await expect(resend).toBeFocused()
  await expect(banner).toBeHidden()
  const [second] = await mailbox.mailsTo(maria.email, { after: first?.id ?? '' })
  await enterCode(page, second?.text.match(/\b\d{6}\b/)?.[0] ?? '')
  await expect(page).toHaveURL(/\/get-started$/)
})
