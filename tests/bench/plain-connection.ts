import { once } from 'node:events'
import { connect } from 'node:net'
import { closedLoop } from '../support/outside/load.ts'
import type { Loop, LoopResult } from '../support/outside/load.ts'

const END_OF_HEAD = '\r\n\r\n'

/**
 * One keep-alive connection that sends a request and waits for the response. It parses only the length of
 * a response: on two cores, a client that does more takes CPU time from the measured server.
 */
async function plainConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let waiting: PromiseWithResolvers<number> | undefined
  let received = ''
  let fullLength = Infinity
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    if (fullLength === Infinity) {
      const headEnd = received.indexOf(END_OF_HEAD)
      if (headEnd === -1) return
      const length = /content-length: (\d+)/i.exec(received)?.[1]
      if (length === undefined) throw new Error('the response has no content-length')
      fullLength = headEnd + END_OF_HEAD.length + Number(length)
    }
    if (received.length < fullLength) return
    const status = Number(received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
    received = ''
    fullLength = Infinity
    waiting?.resolve(status)
  })
  socket.on('error', (error) => waiting?.reject(error))
  return {
    /** Returns the status. */
    send(request: string): Promise<number> {
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close: () => void socket.destroy(),
  }
}

/** Sends GET requests with these paths and headers to a server; only a response with status 200 counts. */
export async function loadServer(
  base: string,
  loop: Loop,
  nextRequest: () => { path: string; header: string },
): Promise<LoopResult> {
  const { host, port } = new URL(base)
  const connections = await Promise.all(
    Array.from({ length: loop.concurrency }, () => plainConnection(Number(port))),
  )
  const result = await closedLoop(loop, async (index) => {
    const { path, header } = nextRequest()
    const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${header}\r\n\r\n`
    return (await connections[index]!.send(request)) === 200
  })
  for (const connection of connections) connection.close()
  return result
}
