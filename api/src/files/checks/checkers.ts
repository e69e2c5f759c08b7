import type { FileHandle } from 'node:fs/promises'
import { connect } from 'node:net'
import * as refusals from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import type { z } from 'zod'
import {
  ANSWER_MAX_BYTES,
  bounds,
  BrokenProtocol,
  incoming,
  readiness,
  result,
  send,
} from '../../checker/protocol.ts'
import type { Bounds, FileKind, Inspection, Question, Result } from '../../checker/protocol.ts'

export type InspectionResult = Exclude<Inspection, { refusal: string }> | { refusal: Refusal }

export interface Checkers {
  /** Throws NoChecker if no checker gives a valid answer. */
  inspect(
    file: FileHandle,
    asked: { kind: FileKind; size: number; priority: number },
  ): Promise<InspectionResult>
}

export interface CheckerBounds {
  /** What each checker is kept from; undefined if it does not respond. */
  bounds(): Promise<(Bounds | undefined)[]>
}

export class NoChecker extends Error {
  override name = 'NoChecker'
}

interface Waits {
  /** Until a checker says whether it can take a file. */
  readyMs?: number
  /** For all tries together. A checker ends an inspection after 25 seconds. */
  totalMs?: number
}

const READY_MS = 5_000
const TOTAL_MS = 35_000
const CHUNK_BYTES = 256 * 1024

/** Lets one of these checkers inspect each file. If it does not answer, or dies, the next one gets the file. */
export function checkers(
  addresses: readonly string[],
  { readyMs = READY_MS, totalMs = TOTAL_MS }: Waits = {},
): Checkers & CheckerBounds {
  let turn = 0
  return {
    async inspect(file, { kind, size, priority }) {
      turn += 1
      const deadline = AbortSignal.timeout(totalMs)
      const causes: unknown[] = []
      for (const index of addresses.keys()) {
        if (deadline.aborted) break
        const address = addresses[(turn + index) % addresses.length]!
        try {
          using checker = open(address, { ask: 'inspect', kind, size, priority }, deadline)
          const { ready } = await checker.answer(readiness, readyMs)
          if (!ready) throw new BrokenProtocol('busy')
          const [answer] = await Promise.all([checker.answer(result), checker.sendFile(file, size)])
          return resultOf(answer, size)
        } catch (error) {
          if (error instanceof InspectionFailed) throw error
          causes.push(error)
        }
      }
      throw new NoChecker('no answer', { cause: causes.at(-1) })
    },
    bounds: () =>
      Promise.all(
        addresses.map(async (address) => {
          try {
            using checker = open(address, { ask: 'bounds' }, AbortSignal.timeout(readyMs))
            return await checker.answer(bounds)
          } catch {
            return undefined
          }
        }),
      ),
  }
}

/** An error in our own code, or a file that took over its inspection: nothing is known about the file. */
class InspectionFailed extends Error {
  override name = 'InspectionFailed'
}

function open(address: string, question: Question, deadline: AbortSignal) {
  const socket = connect(address)
  const end = () => socket.destroy(new Error('timeout'))
  deadline.addEventListener('abort', end)
  // An error shows as a missing answer.
  socket.on('error', () => undefined)
  const from = incoming(socket)
  send(socket, question)
  return {
    async answer<Type>(schema: z.ZodType<Type>, waitMs?: number): Promise<Type> {
      const timer = waitMs === undefined ? undefined : setTimeout(end, waitMs)
      try {
        return await from.message(schema, ANSWER_MAX_BYTES)
      } finally {
        clearTimeout(timer)
      }
    },
    async sendFile(file: FileHandle, size: number): Promise<void> {
      const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
      for (let at = 0; at < size;) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, at)
        // A checker that dies stops reading.
        if (bytesRead === 0 || socket.destroyed) return
        at += bytesRead
        await new Promise((resolve) => socket.write(buffer.subarray(0, bytesRead), resolve))
      }
    },
    [Symbol.dispose]() {
      deadline.removeEventListener('abort', end)
      socket.destroy()
    },
  }
}

const byCode = new Map(
  [
    refusals.wrongFileType,
    refusals.fileProtected,
    refusals.fileUnreadable,
    refusals.fileHasProgram,
    refusals.photoHasAttachment,
    refusals.tooManyAttachments,
    refusals.cannotCheckFiles,
  ].map((refusal) => [refusal.code, refusal]),
)

function resultOf(answer: Result, size: number): InspectionResult {
  if (answer.outcome === 'timed out') return { refusal: refusals.cannotCheckFiles }
  if (answer.outcome === 'ended by a limit') return { refusal: refusals.fileUnreadable }
  if (answer.outcome === 'failed') throw new InspectionFailed('files: the inspection failed')
  const { inspection } = answer
  if ('refusal' in inspection) {
    const refusal = byCode.get(inspection.refusal)
    if (!refusal) throw new InspectionFailed('files: the inspection gave an unknown refusal')
    return { refusal }
  }
  const ranges = inspection.clean?.ranges ?? []
  const isPart = ([start, end]: [number, number], at: number) =>
    start >= (ranges[at - 1]?.[1] ?? 0) && start <= end && end <= size
  if (ranges.every(isPart)) return inspection
  throw new InspectionFailed('files: the inspection gave wrong ranges')
}
