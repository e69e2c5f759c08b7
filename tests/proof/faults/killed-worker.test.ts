import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login, verifyLogin } from '@guidon/contract/auth'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import { afterAll, expect, it } from 'vitest'
import { newAccount } from '../../support/outside/account.ts'
import { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const ROUNDS = smallOrFull(1, 10)

const dataDir = mkdtempSync(join(tmpdir(), 'guidon-killed-worker-'))
const stack = await startStack({
  dataDir,
  mode: 'test',
  workers: 2,
  durable: false,
  env: { WEB_DIR: '' },
})
const mailbox = new MailboxClient(stack.urls.mailbox)
afterAll(async () => {
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function unfinishedJobs(): Promise<number> {
  const { queues } = JSON.parse(await stack.admin(['jobs', '--json'])) as {
    queues: { unfinished: number }[]
  }
  return queues.reduce((sum, { unfinished }) => sum + unfinished, 0)
}

it.each(['while it sends the email', 'before it takes the job'])(
  'kill -9 of a worker %s loses no email and sends none twice',
  async (moment) => {
    let codesSent = 0
    let signIns = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const james = newAccount()
      await stack.admin(['create-users'], JSON.stringify([james]))
      const [victim, other] = [stack.workers[round % 2]!, stack.workers[(round + 1) % 2]!]
      const client = new TestClient(stack.urls.portal, stack.urls.portal)

      // Stops the other worker, so that only the worker that is killed can take the job.
      other.signal('SIGSTOP')
      if (moment === 'before it takes the job') victim.signal('SIGSTOP')
      else await mailbox.fault('hang', 1)
      await client.call(login, { body: { email: james.email, password: james.password } })
      if (moment === 'while it sends the email') await mailbox.waitForHeldDelivery()
      await victim.kill('SIGKILL')
      other.signal('SIGCONT')

      const code = await mailbox.codeFor(james.email, { waitMs: 60_000 })
      const verified = await client.call(verifyLogin, { body: { email: james.email, code } })
      signIns += Number(verified.status === 200)
      await victim.start()
      // No unfinished job is left that could send the email again.
      await expect.poll(() => unfinishedJobs(), { timeout: 90_000 }).toBe(0)
      codesSent += (await mailbox.mailsTo(james.email, { subject: 'sign-in code' })).length
    }
    figures(`killed ${moment}`, { rounds: ROUNDS, signIns, codesSent })
    headline.sum({ kills: ROUNDS, 'sign-ins': signIns, codes: codesSent })
    expect(signIns).toBe(ROUNDS)
    expect(codesSent).toBe(ROUNDS)
  },
)
