import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Log {
  line(name: string, text: string): void
  close(): Promise<void>
}

const NAME_WIDTH = 8

export function consoleLog(): Log {
  return {
    line: (name, text) => console.log(`${name.padEnd(NAME_WIDTH)} | ${text}`),
    close: async () => {},
  }
}

/** For tests: prints nothing, and keeps the output for reading after a failure. */
export function fileLog(path: string): Log {
  mkdirSync(dirname(path), { recursive: true })
  const file = createWriteStream(path, { flags: 'a' })
  return {
    line: (name, text) => file.write(`${new Date().toISOString()} ${name} | ${text}\n`),
    close: () => new Promise((resolve) => file.end(resolve)),
  }
}

export function noLog(): Log {
  return { line: () => {}, close: async () => {} }
}
