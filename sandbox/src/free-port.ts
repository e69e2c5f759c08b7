import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const HOST = '127.0.0.1'

/** Below those that Linux gives to outgoing connections, which could take the port before the caller does. */
const PORTS = { first: 10_000, count: 20_000 }

/** Returns a port that no process uses at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + randomInt(PORTS.count)
    if (await isPortFree(port)) return port
  }
}

export async function isPortFree(port: number, host = HOST): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    // A machine without IPv6 fails for another reason than a taken port.
    return (error as NodeJS.ErrnoException).code !== 'EADDRINUSE'
  }
  server.close()
  await once(server, 'close')
  return true
}
