import { badRequest } from './errors.ts'

const MAX_HEAD_LENGTH = 16 * 1024

interface Part {
  name: string
  filename: string | undefined
  /** Read it before the next part; bytes that are not read by then are skipped. */
  body: AsyncIterable<Buffer>
}

/** Parses multipart/form-data as a stream. */
export async function* partsOf(
  source: AsyncIterable<Buffer>,
  contentType: string | undefined,
): AsyncGenerator<Part> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw badRequest('Expected multipart/form-data')
  // The first delimiter has no line break before it: adding one makes it like the others.
  const reader = new Reader(source, '\r\n')
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  try {
    await skip(reader.until(delimiter))
    while (!(await reader.ended())) {
      const head = await reader.head()
      const body = reader.until(delimiter)
      yield { name: attribute(head, 'name') ?? '', filename: attribute(head, 'filename'), body }
      await skip(body)
    }
    await reader.drain()
  } finally {
    await reader.close()
  }
}

function attribute(head: string, name: string): string | undefined {
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? ''
  const value = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1]
  // Browsers encode only these three characters, which would break the header.
  return value?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')
}

async function skip(bytes: AsyncIterable<Buffer>): Promise<void> {
  const rest = bytes[Symbol.asyncIterator]()
  while ((await rest.next()).done !== true);
}

class Reader {
  readonly #source: AsyncIterator<Buffer>
  #held: Buffer

  constructor(source: AsyncIterable<Buffer>, before: string) {
    this.#source = source[Symbol.asyncIterator]()
    this.#held = Buffer.from(before)
  }

  /** The bytes before `mark`. Consumes the mark, too. */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark)
      if (at !== -1) {
        const last = this.#take(at)
        this.#take(mark.length)
        if (last.length > 0) yield last
        return
      }
      // The end of the buffer may be the beginning of the mark.
      const sure = this.#held.length - mark.length + 1
      if (sure > 0) yield this.#take(sure)
      await this.#more()
    }
  }

  /** Two dashes after a delimiter mean that no part follows. */
  async ended(): Promise<boolean> {
    while (this.#held.length < 2) await this.#more()
    return this.#held.toString('latin1', 0, 2) === '--'
  }

  // Starts with the line break after the delimiter, so that the blank line is found even if a part has no headers.
  async head(): Promise<string> {
    let head = ''
    for await (const chunk of this.until(Buffer.from('\r\n\r\n'))) {
      head += chunk.toString('utf8')
      if (head.length > MAX_HEAD_LENGTH) throw badRequest('The head of a part is too long')
    }
    return head
  }

  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return taken
  }

  async #more(): Promise<void> {
    const next = await this.#source.next()
    if (next.done === true) throw badRequest('The body ends in the middle of a part')
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value])
  }
}
