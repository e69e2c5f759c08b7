import { Faults } from './faults.ts'
import { startHttp } from './http.ts'
import { startSmtp } from './smtp.ts'
import { MessageStore } from './store.ts'

interface MailboxOptions {
  /** 0: any free port. */
  smtpPort?: number
  httpPort?: number
  host?: string
}

export interface Mailbox {
  smtpUrl: string
  /** Serves the inbox for developers and the control addresses for tests. */
  url: string
  close(): Promise<void>
}

/** Accepts every email over SMTP and shows it, without delivering it. For development and tests only. */
export async function startMailbox(options: MailboxOptions = {}): Promise<Mailbox> {
  const { smtpPort = 0, httpPort = 0, host = '127.0.0.1' } = options
  const store = new MessageStore()
  const faults = new Faults()
  const smtp = await startSmtp(store, faults, { host, port: smtpPort })
  try {
    const http = await startHttp(store, faults, { host, port: httpPort })
    return {
      smtpUrl: `smtp://${host}:${smtp.port}`,
      url: `http://${host}:${http.port}`,
      async close() {
        await Promise.all([smtp.close(), http.close()])
      },
    }
  } catch (error) {
    await smtp.close()
    throw error
  }
}
