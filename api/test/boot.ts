import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import type { Role } from '@guidon/contract/account'
import { login, verifyLogin } from '@guidon/contract/auth'
import type { Mail } from '@guidon/sandbox/mailbox/client'
import { afterAll, inject } from 'vitest'
import { composeAdmin, composeServer, composeWorker } from '../src/compose.ts'
import { parseConfig } from '../src/config.ts'
import { createLog } from '../src/http/log.ts'
import { TEMPLATE } from './cluster.ts'
import { connected, newDatabase } from './databases.ts'
import { mailbox } from './mailbox.ts'
import { Person } from './person.ts'

export const PASSWORD = 'Harbor-Lantern-42!'

/** The real app, listening, on a database of its own, with a real worker unless told otherwise. */
export async function boot(
  options: { worker?: boolean; environment?: Record<string, string> } = {},
) {
  const url = await newDatabase(TEMPLATE)
  const config = parseConfig({
    ...inject('environment'),
    DATABASE_URL: url,
    ...options.environment,
  })
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = createLog('debug', 'test', sink)
  const server = await composeServer(config, log)
  const worker = options.worker === false ? undefined : await composeWorker(config, log)
  const admin = await composeAdmin(config, log)
  const sql = await connected(url)
  const base = await server.app.listen({ host: '127.0.0.1', port: 0 })

  afterAll(async () => {
    await Promise.all([server.close(), worker?.close(), admin.close(), sql.end()])
  })

  const someone = () => new Person(base, config.PUBLIC_URL)
  return {
    app: server.app,
    base,
    config,
    close: () => server.close(),
    sql,
    /** Everything that was logged so far. */
    logged: () => lines.join(''),
    someone,
    /** A new account; each has its own email. */
    async account(role: Role = 'USER'): Promise<{ email: string; password: string }> {
      const email = `${randomUUID()}@example.com`
      const person = { email, password: PASSWORD, firstName: 'James', lastName: 'Whitfield' }
      await admin.accounts.create({ ...person, phone: '6195550134', state: 'California', role })
      return { email, password: PASSWORD }
    },
    /** Signs in with password and mailed code. */
    async signedIn(account: { email: string; password: string }, after?: Mail): Promise<Person> {
      const person = someone()
      await person.call(login, { body: account })
      const code = await mailbox.codeFor(account.email, { after: after?.id ?? '' })
      const verified = await person.call(verifyLogin, { body: { email: account.email, code } })
      if (verified.status !== 200) throw new Error(`sign-in answered ${verified.status}`)
      return person
    },
  }
}
