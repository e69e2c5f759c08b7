import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A TCP proxy that stands for a bad connection. */
export interface CuttingProxy {
  port: number
  /** Where connections lead to. */
  targetPort: number
  /** Cuts every connection this long after its first byte. */
  cutAfterMs: number | undefined
  /** Limits what the browser can send. */
  bytesPerSecond: number | undefined
  /** How many connections were cut. */
  cuts: number
  close(): Promise<void>
}

export async function startCuttingProxy(): Promise<CuttingProxy> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(proxy.targetPort, '127.0.0.1')
    const both = [client, upstream]
    const cut = () => both.forEach((socket) => socket.resetAndDestroy())
    open.add(client)
    for (const socket of both) socket.on('error', cut).on('close', cut)
    client.on('close', () => open.delete(client))
    client.once('data', () => {
      if (proxy.cutAfterMs === undefined) return
      const timer = setTimeout(() => {
        proxy.cuts += 1
        cut()
      }, proxy.cutAfterMs)
      client.on('close', () => clearTimeout(timer))
    })
    client.on('data', (bytes) => void forward(bytes).catch(cut))
    upstream.pipe(client)

    async function forward(bytes: Buffer): Promise<void> {
      client.pause()
      upstream.write(bytes)
      const { bytesPerSecond } = proxy
      if (bytesPerSecond !== undefined) await wait((bytes.length / bytesPerSecond) * 1000)
      client.resume()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: CuttingProxy = {
    port: (server.address() as AddressInfo).port,
    targetPort: 0,
    cutAfterMs: undefined,
    bytesPerSecond: undefined,
    cuts: 0,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
