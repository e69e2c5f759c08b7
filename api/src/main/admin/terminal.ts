import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from '../../platform/command.ts'

const INTERRUPTED = 130

/** Reads one line from the terminal. A hidden line is not shown while it is typed. */
function readLine(prompt: string, isHidden: boolean): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isHidden ? nowhere : process.stderr
  const reader = createInterface({ input: process.stdin, output, terminal: true })
  if (isHidden) process.stderr.write(prompt)
  return new Promise((resolve, reject) => {
    reader.on('SIGINT', () => process.exit(INTERRUPTED))
    reader.on('close', () => reject(new UsageError('Nothing was typed.')))
    reader.question(isHidden ? '' : prompt, (line) => {
      resolve(line)
      reader.close()
      if (isHidden) process.stderr.write('\n')
    })
  })
}

/** Asks on the terminal. Without one, the first line of standard input is the response. */
export async function ask(prompt: string, hidden?: 'hidden'): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split('\n', 1)[0]!
  const line = await readLine(prompt, hidden !== undefined)
  if (hidden && line !== (await readLine('Again: ', true))) {
    throw new UsageError('The two entries differ. Nothing was changed.')
  }
  return line
}
