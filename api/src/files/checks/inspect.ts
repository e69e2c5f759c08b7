import type { FileHandle } from 'node:fs/promises'
import * as refusals from '@guidon/contract/document-refusals'
import type { Refusal } from '@guidon/contract/refusal'
import { boundedRun } from './bounded-run.ts'
import { inspectScript } from './inspect-script.ts'
import { cpuSecondsFor } from './inspect/cpu.ts'
import type { FileKind, Inspection } from './inspect/inspection.ts'

const MB = 1024 * 1024
/** Address space: Node reserves much more than it uses. */
const MEMORY = 2048 * MB
/** For a small file. Programs that the process starts inherit the memory and CPU limits. */
const CPU_SECONDS = 2
const TIMEOUT_MS = 25_000

export type InspectionResult = Exclude<Inspection, { refusal: string }> | { refusal: Refusal }

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

/** Inspects a file in another process, so that a hostile file cannot block or crash this one. */
export async function inspect(
  file: FileHandle,
  kind: FileKind,
  { size, priority }: { size: number; priority: number },
): Promise<InspectionResult> {
  // Without types to strip, so that a module that the script lacks is an error and not a delay of each file.
  const args = ['--no-strip-types', '--input-type=module', '--eval', await inspectScript(), kind]
  const run = await boundedRun(process.execPath, args, {
    bounds: { memory: MEMORY, cpuSeconds: cpuSecondsFor(CPU_SECONDS, size), timeoutMs: TIMEOUT_MS },
    stdin: file.fd,
    priority,
    mayStartProcesses: true,
  })
  const [started, result] = run.output.split('\n')
  if (result) return resultOf(JSON.parse(result) as Inspection, size)
  if (run.timedOut) return { refusal: refusals.cannotCheckFiles }
  // If the process crashed or did not start, nothing is known about the file.
  if (started !== 'started' || run.exit === 1) {
    throw new Error('files: the inspection process failed', { cause: run.errors })
  }
  // Something, usually a limit, killed the process while it inspected the file.
  return { refusal: refusals.fileUnreadable }
}

function resultOf(inspection: Inspection, size: number): InspectionResult {
  if (!('refusal' in inspection)) {
    // A hostile file may control what the process returns; this bounds what is copied.
    const ranges = inspection.clean?.ranges ?? []
    const isPart = ([start, end]: [number, number], at: number) =>
      start >= (ranges[at - 1]?.[1] ?? 0) && start <= end && end <= size
    if (ranges.every(isPart)) return inspection
    throw new Error('files: the inspection process returned wrong ranges')
  }
  const refusal = byCode.get(inspection.refusal)
  if (!refusal) throw new Error('files: the inspection process returned an unknown refusal')
  return { refusal }
}
