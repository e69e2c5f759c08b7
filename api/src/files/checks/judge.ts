import type { FileHandle } from 'node:fs/promises'
import * as refusals from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import { boundedRun } from './bounded-run.ts'
import { judgeScript } from './judge-script.ts'
import { cpuSecondsFor } from './judge/cpu.ts'
import type { FileKind, Judgement } from './judge/judgement.ts'

const MB = 1024 * 1024
/** Most of it is address space that Node reserves and does not use. */
const MEMORY = 2048 * MB
/** Also the most that a program started by it can get: limits are inherited. */
const CPU_SECONDS = 2
const LONGEST_MS = 25_000

export type Judged = Exclude<Judgement, { refusal: string }> | { refusal: Refusal }

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

/** Judges a file in a process of its own: whatever the file does there, this process goes on. */
export async function judge(
  file: FileHandle,
  kind: FileKind,
  { size, priority }: { size: number; priority: number },
): Promise<Judged> {
  const args = ['--input-type=module', '--eval', await judgeScript(), kind]
  const ran = await boundedRun(process.execPath, args, {
    bounds: { memory: MEMORY, cpuSeconds: cpuSecondsFor(CPU_SECONDS, size), longestMs: LONGEST_MS },
    stdin: file.fd,
    priority,
    startsOthers: true,
  })
  const [started, answer] = ran.output.split('\n')
  if (answer) return judgedBy(JSON.parse(answer) as Judgement)
  if (ran.isLate) return { refusal: refusals.cannotCheckFiles }
  // Where it did not even start, or failed by itself, that says nothing of the file.
  if (started !== 'started' || ran.exit === 1) {
    throw new Error('The process that judges files failed', { cause: ran.errors })
  }
  return { refusal: refusals.fileUnreadable }
}

function judgedBy(judgement: Judgement): Judged {
  if (!('refusal' in judgement)) return judgement
  const refusal = byCode.get(judgement.refusal)
  if (!refusal) throw new Error('The process that judges files gave an unknown answer')
  return { refusal }
}
