import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import type { Connection, Pool, PoolClient, Submittable } from 'pg'

/** Rows go on in parcels of this size: one by one, each would cost a turn of the loop and of the zip. */
const PARCEL_BYTES = 64 * 1024
const COMMA = 0x2c

/** The words around the rows. How many they were stands between the tail's two parts. */
export interface Frame {
  head: string
  tail: readonly [string, string]
}

/** Collects PostgreSQL's messages of one row each, with a comma between them, into parcels. */
function parcels(head: string, send: (parcel: Buffer) => void) {
  let parcel = Buffer.allocUnsafe(PARCEL_BYTES)
  let used = parcel.write(head)
  let rows = 0
  const hand = (bytes: number) => {
    send(parcel.subarray(0, used))
    parcel = Buffer.allocUnsafe(Math.max(PARCEL_BYTES, bytes))
    used = 0
  }
  return {
    /** A row and the end of its line. */
    add: (line: Buffer) => {
      if (used + line.length > parcel.length) hand(line.length)
      if (rows > 0) parcel[used++] = COMMA
      used += line.copy(parcel, used, 0, line.length - 1)
      rows += 1
    },
    end: (tail: Frame['tail']) => {
      send(Buffer.concat([parcel.subarray(0, used), Buffer.from(tail.join(String(rows)))]))
    },
  }
}

/** What pg tells whoever runs a statement by its own hands; a COPY is answered by these messages alone. */
class CopyOut implements Submittable {
  connection: Connection | undefined
  readonly #text: string
  readonly handleCopyData: (message: { chunk: Buffer }) => void
  readonly handleReadyForQuery: () => void
  readonly handleError: (error: Error) => void

  constructor(
    text: string,
    on: { row(line: Buffer): void; end(): void; error(error: Error): void },
  ) {
    this.#text = text
    this.handleCopyData = ({ chunk }) => on.row(chunk)
    this.handleReadyForQuery = () => on.end()
    this.handleError = (error) => on.error(error)
  }

  submit(connection: Connection): void {
    this.connection = connection
    connection.query(this.#text)
  }

  handleCommandComplete(): void {}
}

/**
 * Streams JSON rows as PostgreSQL itself writes them, as fast as they are read: a reader who is slow holds
 * PostgreSQL up instead of filling memory, and one who goes away ends the statement. JSON holds no control
 * characters, so with these two for its quote and delimiter COPY has nothing to escape.
 */
export function streamJson(pool: Pool, select: string, { head, tail }: Frame): Readable {
  let client: PoolClient | undefined
  let copy: CopyOut | undefined
  const letGo = (unfinished: boolean) => {
    client?.release(unfinished)
    client = undefined
  }
  return new Readable({
    construct: callbackify(async () => {
      client = await pool.connect()
    }),
    read() {
      const goOn = () => {
        if (client) copy?.connection?.stream.resume()
      }
      if (copy) return goOn()
      const { add, end } = parcels(head, (parcel) => {
        const isWanted = this.push(parcel)
        // Others have their turn after each parcel, PostgreSQL's other answers too: a moment's rest costs little.
        copy?.connection?.stream.pause()
        if (isWanted) setTimeout(goOn, 1)
      })
      copy = new CopyOut(
        `copy (${select}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`,
        {
          row: add,
          end: () => {
            end(tail)
            this.push(null)
            goOn()
            letGo(false)
          },
          error: (error) => this.destroy(error),
        },
      )
      client?.query(copy)
    },
    destroy(error, callback) {
      // A connection in the middle of its answer is of no use to anyone else.
      letGo(true)
      callback(error)
    },
  })
}
