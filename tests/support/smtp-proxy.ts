import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { afterFile } from './after-file.ts'
import { startTcpProxy } from './outside/tcp-proxy.ts'

/** `text`: the first line of the email. `end`: the line that ends it; the relay then has accepted the email. */
type Moment = 'greeting' | 'AUTH' | 'RCPT' | 'text' | 'end'

export interface SmtpFault {
  at: Moment
  /**
   * `hang` sends nothing more, `cut` disconnects, `half` sends a part of the reply and disconnects. With `msPerByte`,
   * all replies from this moment on are slow.
   */
  effect: 'hang' | 'cut' | 'half' | { reply: string } | { msPerByte: number }
}

/** A proxy in front of an SMTP server that disturbs conversations. Each connection keeps the fault it began with. */
export async function startSmtpProxy(targetPort: number) {
  let current: SmtpFault | undefined
  let affected = 0
  let lostReplies = 0

  const { port, down, closeConnections } = await startTcpProxy(targetPort, (client, target) => {
    const fault = current
    let isText = false
    let isSilent = false
    let msPerByte = 0
    let writing = Promise.resolve()
    const writeSlowly = async (text: string, after: Promise<void>) => {
      await after
      for (const byte of text) {
        await delay(msPerByte)
        if (client.destroyed) return
        client.write(byte)
      }
    }
    const write = (text: string) => {
      if (msPerByte === 0) client.write(text)
      else writing = writeSlowly(text, writing)
    }

    /** Returns whether the conversation goes on as usual. */
    const goesOnAt = (moment: string, reply = ''): boolean => {
      if (isSilent) return false
      if (!fault || fault.at !== moment) return true
      const { effect } = fault
      affected += 1
      if (typeof effect === 'object' && 'msPerByte' in effect) {
        msPerByte = effect.msPerByte
        return true
      }
      isSilent = true
      if (effect === 'cut') client.destroy()
      else if (effect === 'half') client.end(reply.slice(0, 2))
      else if (effect !== 'hang') client.write(`${effect.reply}\r\n`)
      return false
    }

    let awaits: Moment | undefined = 'greeting'
    createInterface({ input: target }).on('line', (line) => {
      const moment = awaits
      awaits = undefined
      if (moment && !goesOnAt(moment, line)) {
        if (moment === 'end' && line.startsWith('250')) lostReplies += 1
        return
      }
      // Without it the client waits for the reply to each command, so that a fault affects the command it is meant for.
      if (!isSilent && line !== '250-PIPELINING') write(`${line}\r\n`)
    })
    createInterface({ input: client }).on('line', (line) => {
      const command = line.split(/[ :]/)[0]!.toUpperCase()
      if (isText ? !goesOnAt('text') : !goesOnAt(command)) return
      if (isText && line === '.') {
        isText = false
        awaits = 'end'
      } else if (!isText) isText = command === 'DATA'
      target.write(`${line}\r\n`)
    })
  })
  afterFile(down)
  return {
    port,
    /** Closes the idle connections, so that the fault affects each conversation from its start. Counts from zero. */
    begin(fault: SmtpFault | undefined): void {
      current = fault
      affected = 0
      lostReplies = 0
      closeConnections()
    },
    end(): void {
      current = undefined
    },
    /** Conversations that the fault affected. */
    affected: () => affected,
    /** Emails that the relay accepted without the client knowing it. */
    lostReplies: () => lostReplies,
  }
}
