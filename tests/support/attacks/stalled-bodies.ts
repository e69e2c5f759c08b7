import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { login } from '@guidon/contract/auth'
import type { Target } from './target.ts'

const LOGIN: string = login.path

interface StalledBodies {
  responses(): string[]
  /** Resolves when the server has closed all connections. */
  closed: Promise<unknown>
  open(): number
  stop(): void
}

/** Starts anonymous sign-ins and stops each after one byte of its body. */
export function stalledBodies(
  { base, origin }: Pick<Target, 'base' | 'origin'>,
  { count = 5, path = LOGIN, type = 'application/json', length = 100 } = {},
): StalledBodies {
  const { hostname, port } = new URL(base)
  const head =
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nOrigin: ${origin}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n{`
  const received = new Map<Socket, string>()
  let open = count
  const closed = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname)
    received.set(socket, '')
    socket.on('data', (chunk) => received.set(socket, received.get(socket) + String(chunk)))
    socket.on('error', () => {})
    socket.write(head)
    return new Promise<void>((resolve) => {
      socket.once('close', () => {
        open -= 1
        resolve()
      })
    })
  })
  return {
    responses: () => [...received.values()],
    closed: Promise.all(closed),
    open: () => open,
    stop: () => {
      for (const socket of received.keys()) socket.destroy()
    },
  }
}
