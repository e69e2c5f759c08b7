import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

const HOST = '127.0.0.1'

/** Returns a port that no process uses at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
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
