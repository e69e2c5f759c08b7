import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createTransport } from 'nodemailer'
import type { SendMailOptions } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Fault, Stats } from './faults.ts'
import { startMailbox } from './mailbox.ts'
import type { Mailbox } from './mailbox.ts'
import type { Message } from './store.ts'

let mailbox: Mailbox

beforeEach(async () => {
  mailbox = await startMailbox()
})
afterEach(() => mailbox.close())

const mail: SendMailOptions = {
  from: 'Guidon <no-reply@guidon.example>',
  to: 'james.whitfield@example.com',
  subject: 'Your code',
  text: 'Your code is 123456.',
  html: '<p>Your code is <b>123456</b>.</p>',
}

const send = (changes: SendMailOptions = {}) =>
  createTransport(mailbox.smtpUrl).sendMail({ ...mail, ...changes })

async function get<Body>(path: string): Promise<Body> {
  return (await (await fetch(mailbox.url + path)).json()) as Body
}

async function messages(query = ''): Promise<Message[]> {
  return (await get<{ messages: Message[] }>(`/messages?${query}`)).messages
}

async function inject(fault: Fault): Promise<Response> {
  return fetch(`${mailbox.url}/faults`, { method: 'PUT', body: JSON.stringify(fault) })
}

describe('the messages', () => {
  it('are stored as they were sent', async () => {
    await send({ headers: { 'X-Kind': 'code' } })
    const [message] = await messages()
    expect(message).toMatchObject({
      id: '1',
      from: '"Guidon" <no-reply@guidon.example>',
      to: ['james.whitfield@example.com'],
      subject: 'Your code',
      html: mail.html,
      headers: { 'x-kind': 'code' },
    })
    expect(message?.text.trim()).toBe(mail.text)
  })

  it('are returned to a waiting request as soon as one arrives', async () => {
    await send({ to: 'maria.alvarez@example.com' })
    const waiting = messages('to=James.Whitfield@example.com&wait=20000')
    await send()
    const found = await waiting
    expect(found.map(({ to }) => to)).toEqual([['james.whitfield@example.com']])
  })

  it('are an empty list when none arrives in time', async () => {
    expect(await messages('to=nobody@example.com&wait=10')).toEqual([])
  })

  it('can be filtered by subject, listed after an id or a time, and deleted', async () => {
    await send({ subject: 'First' })
    const [first] = await messages()
    await send({ subject: 'Second' })
    const subjects = async (query: string) =>
      (await messages(query)).map((message) => message.subject)
    expect(await subjects('')).toEqual(['Second', 'First'])
    expect(await subjects('subject=first')).toEqual(['First'])
    expect(await subjects(`after=${first!.id}`)).toEqual(['Second'])
    expect(await subjects(`after=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([])
    await fetch(`${mailbox.url}/messages`, { method: 'DELETE' })
    expect(await subjects('')).toEqual([])
  })
})

describe('the inbox', () => {
  const page = async (path: string) => (await fetch(mailbox.url + path)).text()

  it('lists messages by recipient and names the sandbox', async () => {
    await send()
    await send({ to: 'maria.alvarez@example.com', subject: 'For Maria' })
    const inbox = await page('/?to=maria')
    expect(inbox).toContain('Sandbox mailbox — development and tests only')
    expect(inbox).toContain('For Maria')
    expect(inbox).not.toContain('Your code')
  })

  it('shows hostile mail as text', async () => {
    const hostile = `"><script>alert('x')</script>`
    await send({ subject: hostile, text: `</pre>${hostile}` })
    for (const path of ['/', '/mail/1', `/?to=${encodeURIComponent(hostile)}`]) {
      const shown = await page(path)
      expect(shown).not.toContain('<script>alert')
      expect(shown).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)')
    }
  })

  it('shows the HTML of a message in a sandboxed frame', async () => {
    await send()
    const response = await fetch(`${mailbox.url}/mail/1/html`)
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
    expect(await response.text()).toContain(mail.html)
    expect(await page('/mail/1')).toMatch(/<iframe[^>]*sandbox="allow-popups/)
    expect((await fetch(`${mailbox.url}/mail/2`)).status).toBe(404)
  })
})

describe('faults', () => {
  it('refuse the given number of connections', async () => {
    await inject({ mode: 'refuse', times: 1 })
    await expect(send()).rejects.toMatchObject({ responseCode: 421 })
    await send()
    expect(await get<Stats>('/stats')).toMatchObject({ accepted: 1, refused: 1 })
  })

  it('fail deliveries until the fault is replaced', async () => {
    await inject({ mode: 'fail' })
    await expect(send()).rejects.toMatchObject({ responseCode: 451 })
    await expect(send()).rejects.toMatchObject({ responseCode: 451 })
    expect(await messages()).toEqual([])
    await inject({ mode: 'none' })
    await send()
    expect(await get<Stats>('/stats')).toMatchObject({ accepted: 1, failed: 2 })
  })

  it('hold a delivery, which is stored only when it is released', async () => {
    await inject({ mode: 'hang', times: 1 })
    const held = send({ subject: 'Held' })
    expect(await get('/hanging?wait=20000')).toEqual({ hanging: 1 })
    await send({ subject: 'Passing' })
    expect((await messages()).map(({ subject }) => subject)).toEqual(['Passing'])
    await inject({ mode: 'none' })
    await held
    expect((await messages()).map(({ subject }) => subject)).toEqual(['Held', 'Passing'])
    expect(await get<Stats>('/stats')).toMatchObject({ accepted: 2, hanging: 0, abandoned: 0 })
  })

  it.each([10, 500_000])(
    'do not store a held message of %i bytes whose sender was killed',
    async (size) => {
      await inject({ mode: 'hang' })
      const text = `'x'.repeat(${size})`
      const script = `
      import { createTransport } from 'nodemailer'
      createTransport('${mailbox.smtpUrl}').sendMail({
        from: 'a@example.com', to: 'b@example.com', subject: 'Never', text: ${text} })`
      const sender = spawn(process.execPath, ['--input-type=module', '-e', script], {
        cwd: import.meta.dirname,
        stdio: 'inherit',
      })
      await get('/hanging?wait=20000')
      sender.kill('SIGKILL')
      await once(sender, 'exit')
      await inject({ mode: 'none' })
      expect(await messages()).toEqual([])
      expect(await get<Stats>('/stats')).toMatchObject({ accepted: 0, hanging: 0, abandoned: 1 })
    },
  )

  it('are refused with 422 when they are not valid', async () => {
    for (const body of ['', '{}', '{"mode":"explode"}', '{"mode":"fail","times":0}']) {
      const response = await fetch(`${mailbox.url}/faults`, { method: 'PUT', body })
      expect(response.status).toBe(422)
    }
    expect(await get('/faults')).toEqual({ mode: 'none' })
  })

  it('do not prevent the mailbox from closing', async () => {
    await inject({ mode: 'hang' })
    const held = send().catch((error: Error) => error.message)
    await get('/hanging?wait=20000')
    await mailbox.close()
    expect(await held).toMatch(/closed|reset/i)
    mailbox = await startMailbox()
  })
})
