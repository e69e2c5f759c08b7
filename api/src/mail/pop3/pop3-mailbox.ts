import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ReportMailbox } from '../port.ts'
import { pop3Connection } from './pop3-connection.ts'
import type { Pop3Connection } from './pop3-connection.ts'

/** Our emails are far shorter, so a longer message is not a report about one. */
const MESSAGE_BYTES_MAX = 500_000
/** The part with the report comes before the returned email. */
const BODY_LINES_MAX = 2_000
/** The next run reads more. */
const MESSAGES_MAX = 500

interface Options {
  /** For the whole reply to a command. */
  replyMs?: number
  /** After this time, a run begins no further message. */
  runMs?: number
}

/**
 * Reads and deletes the messages of a mailbox by POP3 (RFC 1939). Anyone can send messages to it, so none of them may
 * stop the others: what is too long or cannot be read to its end is deleted.
 */
export function pop3Mailbox(
  url: string,
  { replyMs = 20_000, runMs = 45_000 }: Options = {},
): ReportMailbox {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isTls = protocol === 'pop3s:'
  const address = { host: hostname, port: Number(port || (isTls ? 995 : 110)) }

  const open = async (signal: AbortSignal): Promise<Pop3Connection> => {
    const socket = isTls ? connectTls({ ...address, servername: hostname }) : connectPlain(address)
    const connection = pop3Connection(socket, { signal, replyMs, bytesMax: 2 * MESSAGE_BYTES_MAX })
    try {
      await connection.greeting()
      await connection.command(`USER ${decodeURIComponent(username)}`)
      await connection.command(`PASS ${decodeURIComponent(password)}`)
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  return {
    readAll: async (handle, signal) => {
      const count = { read: 0, skipped: 0 }
      const listReplies: string[] = []
      const stopAt = performance.now() + runMs
      const connection = await open(signal)
      try {
        const [, total = '0'] = (await connection.command('STAT')).split(' ')
        const messages = Math.min(Number(total), MESSAGES_MAX)
        for (let number = 1; number <= messages && performance.now() < stopAt; number += 1) {
          const listReply = await connection.command(`LIST ${number}`)
          listReplies.push(listReply)
          const isTooLong = Number(listReply.split(' ')[2]) > MESSAGE_BYTES_MAX
          const text = isTooLong
            ? undefined
            : await connection.multilineCommand(`TOP ${number} ${BODY_LINES_MAX}`)
          count[text === undefined ? 'skipped' : 'read'] += 1
          if (text !== undefined) await handle(text)
          if (!connection.isOpen()) break
          await connection.command(`DELE ${number}`)
        }
        // Only now are the messages deleted: after a crash, all are read again.
        if (connection.isOpen()) await connection.command('QUIT')
        else await deleteAgain(await open(signal), listReplies)
        return count
      } finally {
        connection.close()
      }
    },
  }
}

/** In a new session, after the first was cut off. A reply to LIST has the number and the size of a message. */
async function deleteAgain(
  connection: Pop3Connection,
  listReplies: readonly string[],
): Promise<void> {
  try {
    for (const listReply of listReplies) {
      const [, number] = listReply.split(' ')
      // Numbers are valid for one session only.
      if ((await connection.command(`LIST ${number}`)) !== listReply) break
      await connection.command(`DELE ${number}`)
    }
    await connection.command('QUIT')
  } finally {
    connection.close()
  }
}
