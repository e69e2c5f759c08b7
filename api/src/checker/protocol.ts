import type { Socket } from 'node:net'
import { DOCUMENT_MAX_BYTES } from '@guidon/contract/document-refusals'
import { z } from 'zod'

/**
 * How the API and a checker talk. A message is its length in four bytes and then JSON. The API connects and asks one
 * question. To have a file inspected, it waits until the checker is ready, sends exactly the bytes of the file, and gets
 * one result. Both sides close a connection that breaks these rules.
 */

const KB = 1024
const LENGTH_BYTES = 4
export const QUESTION_MAX_BYTES = KB
/** The first bytes of a cleaned photo, as numbers, are the longest part of a result. */
export const ANSWER_MAX_BYTES = 256 * KB
const MAX_HEAD_BYTES = 64 * KB
const MAX_RANGES = 1_000
const LOWEST_PRIORITY = 19

const byteCount = z.int().min(0).max(DOCUMENT_MAX_BYTES)
const fileKind = z.enum(['pdf', 'jpeg'])
export type FileKind = z.infer<typeof fileKind>

const inspection = z.union([
  z.strictObject({ refusal: z.string().max(64) }),
  z.strictObject({
    kind: fileKind,
    /** Warnings for staff. */
    flags: z.array(z.enum(['scripts'])).max(1),
    /** The bytes that replace a photo: `head`, then these ranges of the original. Missing if the whole file is kept. */
    clean: z
      .strictObject({
        head: z.array(z.int().min(0).max(255)).max(MAX_HEAD_BYTES),
        ranges: z.array(z.tuple([byteCount, byteCount])).max(MAX_RANGES),
      })
      .optional(),
  }),
])
/** What an inspection writes; `refusal` is a code. */
export type Inspection = z.infer<typeof inspection>
export type Accepted = Pick<Exclude<Inspection, { refusal: string }>, 'flags' | 'clean'>

const boundNames = ['files', 'connections', 'processes', 'signals'] as const
/** Whether an inspection is kept from other files, from connections, and from reading and signalling other processes. */
export const bounds = z.record(z.enum(boundNames), z.boolean())
export type Bounds = z.infer<typeof bounds>

export const question = z.discriminatedUnion('ask', [
  z.strictObject({
    ask: z.literal('inspect'),
    kind: fileKind,
    size: byteCount,
    priority: z.int().min(0).max(LOWEST_PRIORITY),
  }),
  z.strictObject({ ask: z.literal('bounds') }),
])
export type Question = z.infer<typeof question>

/** `false` if as many files are inspected as the checker has memory for. */
export const readiness = z.strictObject({ ready: z.boolean() })

export const result = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('inspected'), inspection }),
  /** The file used up what one may use. */
  z.strictObject({ outcome: z.literal('ended by a limit') }),
  /** The machine was too busy, so there is no verdict about the file. */
  z.strictObject({ outcome: z.literal('timed out') }),
  z.strictObject({ outcome: z.literal('failed') }),
])
export type Result = z.infer<typeof result>
export const inspected = inspection

export function send(socket: Socket, message: object): void {
  const body = Buffer.from(JSON.stringify(message))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(body.length)
  socket.write(Buffer.concat([length, body]))
}

export class BrokenProtocol extends Error {
  override name = 'BrokenProtocol'
}

/** Reads what arrives in its order, however it was cut into packets. One thing at a time. */
export function incoming(socket: Socket) {
  let reading: { left: number; take(part: Buffer): void; end(error?: unknown): void } | undefined
  const end = (error?: unknown) => {
    socket.pause()
    const ended = reading
    reading = undefined
    ended?.end(error)
  }
  const endEarly = () => end(new BrokenProtocol('ended early'))
  socket.on('end', endEarly).on('close', endEarly)
  // Events, because an iterator takes twice the CPU time for a large file.
  socket.on('data', (packet: Buffer) => {
    if (!reading) return
    const part = packet.subarray(0, reading.left)
    reading.left -= part.length
    try {
      reading.take(part)
    } catch (error) {
      return end(error)
    }
    if (reading.left > 0) return
    end()
    if (packet.length > part.length) socket.unshift(packet.subarray(part.length))
  })
  socket.pause()
  const bytes = async (count: number, take: (part: Buffer) => void): Promise<void> => {
    if (count === 0) return
    if (socket.readableEnded || socket.destroyed) throw new BrokenProtocol('ended early')
    await new Promise<void>((resolve, reject) => {
      const whenEnded = (error?: unknown) => (error ? reject(error) : resolve())
      reading = { left: count, take, end: whenEnded }
      socket.resume()
    })
  }
  const exactly = async (count: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    await bytes(count, (part) => parts.push(part))
    return Buffer.concat(parts)
  }
  return {
    /** Hands over exactly this many bytes, part by part. */
    bytes,
    async message<Type>(schema: z.ZodType<Type>, maxBytes: number): Promise<Type> {
      const length = (await exactly(LENGTH_BYTES)).readUInt32BE()
      if (length > maxBytes) throw new BrokenProtocol('too long')
      const parsed = schema.safeParse(jsonOf(await exactly(length)))
      if (!parsed.success) throw new BrokenProtocol('unknown message')
      return parsed.data
    },
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new BrokenProtocol('no JSON')
  }
}
