import { randomUUID } from 'node:crypto'
import { closeSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../platform/log.ts'
import { inspect } from './inspect.ts'
import type { Inspector } from './inspect.ts'
import { BrokenProtocol, incoming, question, QUESTION_MAX_BYTES, send } from './protocol.ts'
import type { Bounds, Question } from './protocol.ts'

/** A hostile file may make its inspection use a gigabyte of memory. */
const MAX_RUNNING = 2 * availableParallelism()
/** Between two packets of a question or a file. */
const SILENCE_MS = 10_000
const OWNER_ONLY = 0o400

export interface CheckerOptions {
  /** The path at which it listens. */
  socket: string
  inspector: Inspector
  bounds: Bounds
  log: Log
}

type Incoming = ReturnType<typeof incoming>
type FileQuestion = Extract<Question, { ask: 'inspect' }>

/** Listens until `close`, which waits for the files that are inspected. */
export async function serveChecks({ socket: path, inspector, bounds, log }: CheckerOptions) {
  let running = 0

  const checkFile = async (socket: Socket, asked: FileQuestion, from: Incoming) => {
    if (running >= MAX_RUNNING) return send(socket, { ready: false })
    running += 1
    try {
      send(socket, { ready: true })
      const stdin = await withoutName(from, asked.size)
      socket.setTimeout(0)
      try {
        const { errors, ...result } = await inspect(inspector, { ...asked, stdin })
        if (result.outcome === 'failed') {
          log.error({ reason: errors }, 'checker: an inspection failed')
        }
        send(socket, result)
      } finally {
        closeSync(stdin)
      }
    } finally {
      running -= 1
    }
  }

  const respond = async (socket: Socket) => {
    const from = incoming(socket)
    const asked = await from.message(question, QUESTION_MAX_BYTES)
    if (asked.ask === 'bounds') send(socket, bounds)
    else await checkFile(socket, asked, from)
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setTimeout(SILENCE_MS, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    respond(socket)
      .catch((error: NodeJS.ErrnoException) => {
        const reason = error instanceof BrokenProtocol ? error.message : error.code
        log.warn({ reason, err: error }, 'checker: a connection was closed')
        socket.destroy()
      })
      .finally(() => socket.end())
  })
  // Left by a process that was killed.
  rmSync(path, { force: true })
  // The API has another user. The folder of the socket decides who reaches it.
  server.listen({ path, readableAll: true, writableAll: true })
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return { close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** Receives a file into the folder for temporary files, which is in memory, and returns it open without a name there. */
async function withoutName(from: Incoming, size: number): Promise<number> {
  const path = join(tmpdir(), `guidon-checker-${randomUUID()}`)
  const written = openSync(path, 'wx', OWNER_ONLY)
  let opened: number
  try {
    opened = openSync(path, 'r')
  } finally {
    unlinkSync(path)
  }
  try {
    await from.bytes(size, (part) => {
      for (let at = 0; at < part.length;) at += writeSync(written, part, at)
    })
    return opened
  } catch (error) {
    closeSync(opened)
    throw error
  } finally {
    closeSync(written)
  }
}
