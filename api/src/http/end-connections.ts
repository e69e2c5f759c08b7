import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const LOOK_AGAIN_MS = 500

/**
 * While the server closes, ends each connection on which nothing is under way. Node ends those that are
 * idle at that moment; left are those whose answer had already begun, and those on which nothing was ever
 * asked, as browsers open them ahead: they would keep the process for minutes.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    const looking = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of silent) socket.destroy()
    }, LOOK_AGAIN_MS)
    app.server.once('close', () => clearInterval(looking))
  })
}
