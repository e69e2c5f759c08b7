import { setTimeout as delay } from 'node:timers/promises'
import { startTcpProxy } from './tcp-proxy.ts'

/** A TCP proxy that stands for a bad connection. */
export interface CuttingProxy {
  port: number
  /** Where connections lead to. */
  targetPort: number
  /** After how many bytes of the client each connection is cut: not after a time, which says nothing on a busy machine. */
  cutAfterBytes: (() => number) | undefined
  /** Limits what the client can send. */
  bytesPerSecond: number | undefined
  /** How many connections were cut. */
  cuts: number
  /** Closes all connections, and refuses new ones until `up`. */
  down(): Promise<void>
  up(): Promise<unknown>
}

export async function startCuttingProxy(
  settings: Partial<Pick<CuttingProxy, 'targetPort' | 'cutAfterBytes' | 'bytesPerSecond'>> = {},
): Promise<CuttingProxy> {
  const { port, down, up } = await startTcpProxy(
    () => proxy.targetPort,
    (client, target) => {
      const cut = () => {
        proxy.cuts += 1
        client.resetAndDestroy()
        target.resetAndDestroy()
      }
      let cutAt: number | undefined
      let sent = 0
      const forward = async (bytes: Buffer) => {
        client.pause()
        target.write(bytes)
        sent += bytes.length
        // Connections that were open before are cut, too.
        cutAt ??= proxy.cutAfterBytes?.()
        if (cutAt !== undefined && sent > cutAt) return cut()
        const { bytesPerSecond } = proxy
        if (bytesPerSecond !== undefined) await delay((bytes.length / bytesPerSecond) * 1000)
        client.resume()
      }
      client.on('data', (bytes) => void forward(bytes))
      target.pipe(client)
    },
  )
  const proxy: CuttingProxy = {
    port,
    targetPort: 0,
    cutAfterBytes: undefined,
    bytesPerSecond: undefined,
    cuts: 0,
    down,
    up,
    ...settings,
  }
  return proxy
}
