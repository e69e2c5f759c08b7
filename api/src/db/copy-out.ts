import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import type { Connection, Pool, PoolClient, Submittable } from 'pg'

/** Rows are batched, because writing each one alone would cost an event loop turn and a gzip call. */
const BATCH_BYTES = 64 * 1024
const COMMA = 0x2c

/** The JSON around the rows. The row count is written between the two parts of the tail. */
export interface Frame {
  head: string
  tail: readonly [string, string]
}

/** Joins rows with commas and sends them in batches. */
function rowBatches(head: string, send: (batch: Buffer) => void) {
  let batch = Buffer.allocUnsafe(BATCH_BYTES)
  let used = batch.write(head)
  let rows = 0
  const flush = (nextBytes: number) => {
    send(batch.subarray(0, used))
    batch = Buffer.allocUnsafe(Math.max(BATCH_BYTES, nextBytes))
    used = 0
  }
  return {
    /** `line` is one row with its line feed. */
    add: (line: Buffer) => {
      if (used + line.length > batch.length) flush(line.length)
      if (rows > 0) batch[used++] = COMMA
      used += line.copy(batch, used, 0, line.length - 1)
      rows += 1
    },
    end: (tail: Frame['tail']) => {
      send(Buffer.concat([batch.subarray(0, used), Buffer.from(tail.join(String(rows)))]))
    },
  }
}

/** Receives pg's protocol messages of a COPY, which pg's own query class does not handle. */
class CopyOut implements Submittable {
  connection: Connection | undefined
  readonly #text: string
  readonly handleCopyData: (message: { chunk: Buffer }) => void
  readonly handleReadyForQuery: () => void
  readonly handleError: (error: Error) => void

  constructor(
    text: string,
    handlers: { row(line: Buffer): void; end(): void; error(error: Error): void },
  ) {
    this.#text = text
    this.handleCopyData = ({ chunk }) => handlers.row(chunk)
    this.handleReadyForQuery = () => handlers.end()
    this.handleError = (error) => handlers.error(error)
  }

  submit(connection: Connection): void {
    this.connection = connection
    connection.query(this.#text)
  }

  handleCommandComplete(): void {}
}

/**
 * Streams JSON rows as PostgreSQL writes them, with backpressure: a slow reader pauses PostgreSQL, and a
 * reader that disconnects ends the statement. JSON text has no control characters, so COPY escapes nothing
 * when two of them are its quote and delimiter.
 */
export function streamJson(pool: Pool, select: string, { head, tail }: Frame): Readable {
  let client: PoolClient | undefined
  let copy: CopyOut | undefined
  const release = (unfinished: boolean) => {
    client?.release(unfinished)
    client = undefined
  }
  return new Readable({
    construct: callbackify(async () => {
      client = await pool.connect()
    }),
    read() {
      const resume = () => {
        if (client) copy?.connection?.stream.resume()
      }
      if (copy) return resume()
      const { add, end } = rowBatches(head, (batch) => {
        const wantsMore = this.push(batch)
        // Pause after each batch, so that other work of this thread gets its turn.
        copy?.connection?.stream.pause()
        if (wantsMore) setTimeout(resume, 1)
      })
      copy = new CopyOut(
        `copy (${select}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`,
        {
          row: add,
          end: () => {
            end(tail)
            this.push(null)
            resume()
            release(false)
          },
          error: (error) => this.destroy(error),
        },
      )
      client?.query(copy)
    },
    destroy(error, callback) {
      // A connection in the middle of a COPY cannot be reused.
      release(true)
      callback(error)
    },
  })
}
