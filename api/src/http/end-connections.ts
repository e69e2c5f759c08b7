import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const CHECK_EVERY_MS = 500

/**
 * Ends unused connections while the server closes. Node ends only those that are idle at that moment, not
 * those that become idle later or never had a request, such as preconnects of browsers.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    const checking = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of unused) socket.destroy()
    }, CHECK_EVERY_MS)
    app.server.once('close', () => clearInterval(checking))
  })
}
