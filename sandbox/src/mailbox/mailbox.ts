import { Bounces } from './bounces.ts'
import { Faults } from './faults.ts'
import { startHttp } from './http.ts'
import { startPop3 } from './pop3.ts'
import { startSmtp } from './smtp.ts'
import { MessageStore } from './store.ts'

interface MailboxOptions {
  /** 0: any free port. */
  smtpPort?: number
  httpPort?: number
  pop3Port?: number
  host?: string
}

export interface Mailbox {
  smtpUrl: string
  /** Where the portal fetches reports about emails that came back. */
  pop3Url: string
  /** Serves the inbox for developers and the control addresses for tests. */
  url: string
  close(): Promise<void>
}

/** Accepts every email over SMTP and shows it, without delivering it. For development and tests only. */
export async function startMailbox(options: MailboxOptions = {}): Promise<Mailbox> {
  const { smtpPort = 0, httpPort = 0, pop3Port = 0, host = '127.0.0.1' } = options
  const store = new MessageStore()
  const faults = new Faults()
  const bounces = new Bounces()
  await using closing = new AsyncDisposableStack()
  const smtp = await startSmtp(store, faults, bounces, { host, port: smtpPort })
  closing.defer(() => smtp.close())
  const pop3 = await startPop3(bounces, { host, port: pop3Port })
  closing.defer(() => pop3.close())
  const http = await startHttp(store, faults, bounces, { host, port: httpPort })
  closing.defer(() => http.close())
  const opened = closing.move()
  return {
    smtpUrl: `smtp://${host}:${smtp.port}`,
    pop3Url: `pop3://bounces:sandbox@${host}:${pop3.port}`,
    url: `http://${host}:${http.port}`,
    close: () => opened.disposeAsync(),
  }
}
