import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import { TEMPLATE } from './cluster.ts'
import { newDatabase } from './databases.ts'

export type Serving = Awaited<ReturnType<typeof serving>>

/** The API as a process of its own, on a database of its own. */
export async function serving(environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main/serve.ts')], {
    env: {
      ...inject('environment'),
      DATABASE_URL: await newDatabase(TEMPLATE),
      HOST: '127.0.0.1',
      PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  /** The first line with these words, which may have been said already. */
  const says = async (words: string): Promise<string> => {
    for (;;) {
      const line = lines.find((each) => each.includes(`"msg":"${words}"`))
      if (line) return line
      const went = once(reader, 'close').then(() => false)
      const more = once(reader, 'line').then(() => true)
      if (!(await Promise.race([more, went]))) throw new Error(`It ended without: ${words}`)
    }
  }
  const { address } = JSON.parse(await says('api ready')) as { address: string }
  return { base: address, says, ended, kill: (signal: NodeJS.Signals) => child.kill(signal) }
}
