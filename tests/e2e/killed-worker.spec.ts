import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import type { Stack } from '@guidon/sandbox/stack/stack'
import { newAccount } from '../support/outside/account.ts'
import { enterCode, enterPassword } from './support/session.ts'
import { expect, test } from './support/test.ts'

/** A separate stack, because its workers are killed. */
let stack: Stack
let mailbox: MailboxClient
const dataDir = mkdtempSync(join(tmpdir(), 'guidon-killed-'))

test.describe.configure({ mode: 'serial', timeout: 120_000 })
test.beforeAll(async () => {
  stack = await startStack({
    dataDir,
    mode: 'production',
    apis: 2,
    workers: 2,
    balancer: true,
    durable: false,
  })
  mailbox = new MailboxClient(stack.urls.mailbox)
})
test.afterAll(async () => {
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

for (const [index, moment] of [
  [0, 'while it sends the email'],
  [1, 'before it takes the job'],
] as const) {
  test(`kill -9 of worker ${index + 1} ${moment} loses no email and sends none twice`, async ({
    browser,
  }) => {
    const james = newAccount()
    await stack.admin(['create-users'], JSON.stringify([james]))
    const [victim, other] = [stack.workers[index]!, stack.workers[1 - index]!]
    const page = await browser.newPage({ baseURL: stack.urls.portal })

    // Stop the other worker, so that only the worker that is killed can take the job.
    other.signal('SIGSTOP')
    if (moment === 'before it takes the job') {
      victim.signal('SIGSTOP')
      await enterPassword(page, james)
    } else {
      await mailbox.fault('hang', 1)
      await enterPassword(page, james)
      await mailbox.waitForHeldDelivery()
    }
    await victim.kill('SIGKILL')
    other.signal('SIGCONT')

    await enterCode(page, await mailbox.codeFor(james.email, { waitMs: 60_000 }))
    await expect(page).toHaveURL(/\/dashboard\/home$/)
    await page.close()
    await victim.start()
    // No unfinished job is left that could send the email again.
    await expect.poll(() => unfinishedJobs(), { timeout: 90_000 }).toBe(0)
    expect(await mailbox.mailsTo(james.email, { subject: 'sign-in code' })).toHaveLength(1)
  })
}

async function unfinishedJobs(): Promise<number> {
  const { queues } = JSON.parse(await stack.admin(['jobs', '--json'])) as {
    queues: { name: string; unfinished: number }[]
  }
  return queues.reduce((sum, { unfinished }) => sum + unfinished, 0)
}
