import { startSmtpProxy } from '@guidon/tests/smtp-proxy'
import { startRelay } from '@guidon/tests/smtp-relay'
import { afterAll, describe, expect, it } from 'vitest'
import { QueueFull } from '../../platform/fair-semaphore.ts'
import { concernsRecipient, isNotAccepted, MailRefused } from '../port.ts'
import { failureOf } from './failure.ts'
import { smtpMail } from './smtp-mail.ts'

const SENDER = { name: 'Guidon', address: 'no-reply@example.org' }
const MESSAGE = { subject: 'A code', html: '<p>123456</p>', text: '123456' }

async function relayWith(responses: Record<string, string> = {}, requireTls = false) {
  const relay = await startRelay(responses)
  const url = relay.url.replace('//', '//user:secret@')
  const mail = smtpMail({ url, requireTls }, SENDER)
  afterAll(() => mail.close())
  return { ...relay, send: (to = 'a@example.com') => mail.send(to, MESSAGE, 'an-id') }
}

const commands = (commandLines: readonly string[]) => commandLines.map((line) => line.split(' ')[0])

describe('a relay that offers no TLS', () => {
  it('gets neither password nor email if TLS is required', async () => {
    const { commandLines, send, acceptedCount } = await relayWith({}, true)
    await expect(send()).rejects.toMatchObject({ code: 'ETLS' })
    expect(commands(commandLines)).not.toEqual(expect.arrayContaining(['AUTH']))
    expect(commands(commandLines)).not.toEqual(expect.arrayContaining(['MAIL']))
    expect(acceptedCount()).toBe(0)
  })

  it('gets no email if TLS is required, even if the URL turns TLS off', async () => {
    const relay = await startRelay()
    const mail = smtpMail({ url: `${relay.url}/?ignoreTLS=true`, requireTls: true }, SENDER)
    afterAll(() => mail.close())
    await expect(mail.send('a@example.com', MESSAGE, 'an-id')).rejects.toMatchObject({
      code: 'ETLS',
    })
    expect(relay.acceptedCount()).toBe(0)
  })

  it('gets the email if TLS is not required', async () => {
    const { send, acceptedCount } = await relayWith()
    await send()
    expect(acceptedCount()).toBe(1)
  })
})

describe('the response of the relay', () => {
  it.each(['550 5.1.1 no such user', '553 no such domain', '552 5.2.2 mailbox full'])(
    'to a recipient is a permanent refusal: %s',
    async (response) => {
      const { send } = await relayWith({ RCPT: response })
      await expect(send()).rejects.toThrow(MailRefused)
    },
  )

  it.each([
    ['RCPT', '450 4.2.0 greylisted'],
    ['RCPT', '421 4.3.0 going down'],
    ['RCPT', '530 authentication required'],
    ['RCPT', '550 5.7.1 relaying denied'],
    ['MAIL', '550 5.1.8 sender refused'],
    ['.', '554 5.6.0 content refused'],
    ['AUTH', '535 5.7.8 wrong password'],
  ])('leads to a retry: %s %s', async (command, response) => {
    const { send } = await relayWith({ [command]: response })
    const failure = await send().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(MailRefused)
  })

  it.each([
    ['RCPT', '550 5.1.1 no such user', true],
    ['RCPT', '450 4.2.0 greylisted', true],
    ['RCPT', '452 4.2.2 mailbox full', true],
    ['RCPT', '451 4.3.0 lookup failed', false],
    ['RCPT', '550 5.7.1 relaying denied', false],
    ['RCPT', '421 4.3.0 going down', false],
    ['MAIL', '450 4.1.8 sender not known', false],
    ['.', '452 4.3.1 no space', false],
  ])('to %s, %s, concerns only this recipient: %s', async (command, response, expected) => {
    const { send } = await relayWith({ [command]: response })
    expect(concernsRecipient(await send().catch((error: unknown) => error))).toBe(expected)
  })

  it('is not needed to refuse an invalid address permanently', async () => {
    const { send, commandLines } = await relayWith()
    await expect(send('')).rejects.toThrow(MailRefused)
    expect(commands(commandLines)).not.toEqual(expect.arrayContaining(['RCPT']))
  })
})

it('an email that got no connection in time was not accepted, so that it can be sent again', () => {
  expect(isNotAccepted(failureOf(new QueueFull('waited too long')))).toBe(true)
})

describe('a relay that sends a byte now and then', () => {
  it('fails all emails after a limit and keeps no connection from the next ones', async () => {
    const relay = await startRelay()
    const proxy = await startSmtpProxy(relay.port)
    const url = `smtp://127.0.0.1:${proxy.port}`
    const mail = smtpMail({ url, requireTls: false, maxSendMs: 5_000 }, SENDER)
    afterAll(() => mail.close())
    const send = () => mail.send('a@example.com', MESSAGE, 'an-id')
    proxy.begin({ at: 'RCPT', effect: { msPerByte: 500 } })
    // More than the connections of the pool.
    const results = await Promise.allSettled(Array.from({ length: 10 }, send))
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 'rejected'))
    proxy.end()
    await send()
    expect(relay.acceptedCount()).toBe(1)
  })
})
