import { expectAccessible } from './support/accessibility.ts'
import { enterCode, enterPassword, logOut, signIn, submitPassword } from './support/session.ts'
import { expect, test } from './support/test.ts'

test('a veteran signs in with password and mailed code, sees the dashboard, and logs out', async ({
  page,
  context,
  account,
  mailbox,
}) => {
  const james = await account()
  await page.goto('/')
  await expect(page).toHaveURL(/\/signin$/)
  await expect(page).toHaveTitle('Sign In – Guidon')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  await expectAccessible(page)

  await submitPassword(page, james)
  await expect(page).toHaveURL(/\/verification-code$/)
  await expect(page.getByText(/jam\*+@example\.com/)).toBeVisible()
  await expectAccessible(page)

  // The veteran reads the code in the inbox.
  const inbox = await context.newPage()
  await mailbox.codeFor(james.email)
  await inbox.goto(`${mailbox.url}/?to=${james.email}`)
  await inbox.getByRole('link', { name: 'Your Guidon sign-in code' }).click()
  const code = (await inbox.locator('pre').innerText()).match(/\b\d{6}\b/)?.[0] ?? ''
  await inbox.close()

  await enterCode(page, code)
  await expect(page).toHaveURL(/\/dashboard\/home$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, James' })).toBeFocused()
  await expect(page.getByText('James Whitfield')).toBeVisible()
  await expect(page.getByText('(619) 555-0134')).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)

  await logOut(page)
  await expect(page).toHaveURL(/\/signin$/)
  await page.goto('/dashboard/home')
  await expect(page).toHaveURL(/\/signin$/)
})

test('sign-in by keyboard alone', { tag: '@desktop-only' }, async ({ page, account, mailbox }) => {
  const james = await account()
  await page.goto('/signin')
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await page.getByLabel('Email').focus()
  await page.keyboard.type(james.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(james.password)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Digit 1 of 6')).toBeFocused()
  await expect(page).toHaveTitle('Check your email – Guidon')
  const code = await mailbox.codeFor(james.email)
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Welcome, James' })).toBeFocused()
})

test(
  'a wrong password has its message, and the typed email stays',
  { tag: '@phone' },
  async ({ page, account }) => {
    const james = await account()
    await page.goto('/signin')
    await page.getByLabel('Email').fill(james.email)
    await page.getByLabel('Password', { exact: true }).fill('Wrong-lantern-42')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'do not match' })).toBeVisible()
    await expect(page).toHaveTitle('Error: Sign In – Guidon')
    await expect(page.getByLabel('Email')).toHaveValue(james.email)
    await expect(page).toHaveURL(/\/signin$/)
    await expectAccessible(page)
  },
)

test(
  'invalid fields have their messages on submit, and lose them while typing',
  { tag: '@phone' },
  async ({ page }) => {
    await page.goto('/signin')
    await page.getByLabel('Email').fill('james')
    await page.getByLabel('Password', { exact: true }).fill('12345')
    await expect(page.getByText('Enter a valid email address')).toBeHidden()
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Enter a valid email address')).toBeVisible()
    await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
    await expectAccessible(page)
    await page.getByLabel('Email').fill('james@example.com')
    await expect(page.getByText('Enter a valid email address')).toBeHidden()
  },
)

test(
  'a wrong code has its message, and the right one still works',
  { tag: '@desktop-only' },
  async ({ page, account, mailbox }) => {
    const james = await account()
    await enterPassword(page, james)
    const code = await mailbox.codeFor(james.email)
    // Only the last digit is wrong, so that typing the code again replaces five digits with equal ones.
    await enterCode(page, code.slice(0, 5) + ((Number(code[5]) + 1) % 10))
    await expect(
      page.getByRole('alert').filter({ hasText: 'That code is not right' }),
    ).toBeVisible()
    await expectAccessible(page)
    await enterCode(page, code)
    await expect(page).toHaveURL(/\/dashboard\/home$/)
  },
)

test('the resend link waits a minute', { tag: '@desktop-only' }, async ({ page, account }) => {
  await page.clock.install()
  await enterPassword(page, await account())
  await expect(page.getByText(/Resend code in (1:00|0:5\d)/)).toBeVisible()
  const resend = page.getByRole('button', { name: 'Resend code' })
  await expect(resend).toBeDisabled()
  await page.clock.fastForward('01:01')
  await expect(resend).toBeEnabled()
  // The server measures the minute by its own clock.
  await resend.click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'A code was sent a moment ago' }),
  ).toBeVisible()
  await expect(resend).toBeFocused()
  await expectAccessible(page)
})

test('/signin clears all browser-stored data', { tag: '@desktop-only' }, async ({ page }) => {
  await page.goto('/signin')
  await page.evaluate(() => {
    localStorage.setItem('left', 'behind')
    sessionStorage.setItem('left', 'behind')
  })
  await page.goto('/signin')
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
})

test(
  "staff arrive at /admin-dashboard and may not open a veteran's dashboard",
  { tag: '@desktop-only' },
  async ({ page, account, mailbox }) => {
    await signIn(page, await account('STAFF'), mailbox)
    await expect(page).toHaveURL(/\/admin-dashboard$/)
    await expect(page.getByRole('heading', { name: 'Manage Users' })).toBeFocused()
    await expectAccessible(page)
    await page.goto('/dashboard/home')
    await expect(page).toHaveURL(/\/signin$/)
  },
)

test(
  'any other path shows Page Not Found, with a link home',
  { tag: '@desktop-only' },
  async ({ page }) => {
    const response = await page.goto('/no/such/page')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    await expect(page).toHaveTitle('Page Not Found – Guidon')
    await expectAccessible(page)
    await page
      .getByRole('link', { name: 'Go Home' })
      .or(page.getByRole('button', { name: 'Go Home' }))
      .click()
    await expect(page).toHaveURL(/\/signin$/)
  },
)

for (const [name, options] of Object.entries({
  'dark mode': { colorScheme: 'dark' },
  'forced colours': { forcedColors: 'active' },
  'reduced motion': { reducedMotion: 'reduce' },
} as const)) {
  test(
    `the screens are accessible at a width of 320 px with ${name}`,
    { tag: '@desktop-only' },
    async ({ page, account, mailbox }) => {
      await page.emulateMedia(options)
      await page.setViewportSize({ width: 320, height: 700 })
      const james = await account()
      await page.goto('/signin')
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
      await expectAccessible(page)
      await submitPassword(page, james)
      await expectAccessible(page)
      await enterCode(page, await mailbox.codeFor(james.email))
      await expect(page.getByRole('heading', { name: 'Welcome, James' })).toBeVisible()
      await expectAccessible(page)
    },
  )
}

test(
  'the Content Security Policy refuses no script or style',
  { tag: '@desktop-only' },
  async ({ page }) => {
    const refused: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) refused.push(message.text())
    })
    await page.goto('/signin')
    await expect(page.getByRole('button', { name: 'Sign In' })).toHaveCSS(
      'background-color',
      'rgb(143, 208, 248)',
    )
    expect(refused).toEqual([])
  },
)
