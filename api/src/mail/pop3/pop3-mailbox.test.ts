import { setTimeout as sleep } from 'node:timers/promises'
import { newMailbox } from '@guidon/tests/mailbox'
import { describe, expect, it } from 'vitest'
import { pop3Mailbox } from './pop3-mailbox.ts'

const never = new AbortController().signal

const message = (subject: string) => `From: a@example.com\nSubject: ${subject}\n\nHello.\n`
const endlessLine = `X-Sandbox-Fault: endless-line\n${message('endless')}`
const slow = `X-Sandbox-Fault: slow\n${message('slow')}`

async function mailboxWith(...messages: string[]) {
  const mailbox = await newMailbox()
  for (const each of messages) await mailbox.putReport(each)
  const subjects: string[] = []
  const run = async (options = {}, signal = never, handleMs = 0) => {
    const reader = pop3Mailbox(mailbox.environment.BOUNCE_URL, options)
    return reader.readAll(async (text) => {
      subjects.push(/^Subject: (.*)$/m.exec(text)?.[1] ?? '')
      await sleep(handleMs)
    }, signal)
  }
  return { subjects, run }
}

describe('the mailbox of reports', () => {
  it('is read and emptied', async () => {
    const { subjects, run } = await mailboxWith(message('one'), message('two'))
    expect(await run()).toEqual({ read: 2, skipped: 0 })
    expect(await run()).toEqual({ read: 0, skipped: 0 })
    expect(subjects).toEqual(['one', 'two'])
  })

  it('drops a message with megabytes of header lines, without reading it', async () => {
    const long = 'To: bounces@example.org\n'.repeat(200_000) + message('long')
    const { subjects, run } = await mailboxWith(message('one'), long, message('two'))
    expect(await run()).toEqual({ read: 2, skipped: 1 })
    expect(await run()).toEqual({ read: 0, skipped: 0 })
    expect(subjects).toEqual(['one', 'two'])
  })

  it.each([
    ['a line that does not end', endlessLine],
    ['lines that come slowly and do not end', slow],
  ])('drops a message with %s, and the next run reads the others', async (_name, hostile) => {
    const { subjects, run } = await mailboxWith(message('one'), hostile, message('two'))
    const options = { replyMs: hostile === slow ? 300 : 20_000 }
    expect(await run(options)).toEqual({ read: 1, skipped: 1 })
    expect(await run(options)).toEqual({ read: 1, skipped: 0 })
    expect(await run(options)).toEqual({ read: 0, skipped: 0 })
    expect(subjects).toEqual(['one', 'two'])
  })

  it('keeps what a run had no time for', async () => {
    const all = Array.from({ length: 6 }, (_, at) => `number ${at}`)
    const { subjects, run } = await mailboxWith(...all.map(message))
    const { read } = await run({ runMs: 150 }, never, 100)
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(all.length)
    expect((await run()).read).toBe(all.length - read)
    expect(subjects).toEqual(all)
  })

  it('keeps everything if the job is aborted, which ends the run at once', async () => {
    const { subjects, run } = await mailboxWith(message('one'), slow)
    await expect(run({}, AbortSignal.timeout(300))).rejects.toThrow('aborted')
    expect(await run({ replyMs: 300 })).toEqual({ read: 1, skipped: 1 })
    expect(subjects).toEqual(['one', 'one'])
  })
})
