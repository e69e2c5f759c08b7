import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAppointments } from '@guidon/contract/appointments'
import { getCaseVersion } from '@guidon/contract/case-activity'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getClaims } from '@guidon/contract/claims'
import type { Claim } from '@guidon/contract/claims'
import { getDocumentCategories, getDocuments, OTHER_CATEGORY } from '@guidon/contract/documents'
import { getUserInfo } from '@guidon/contract/profile'
import { stages as stagesSchema } from '@guidon/contract/stages'
import { getTodo } from '@guidon/contract/todo'
import type { Loop } from '../support/outside/load.ts'

/** The calls of a dashboard. */

export type Rows = Record<string, unknown>[]

export interface Read {
  path: string
  /** The parameters of the read's SQL statement. */
  parameters(userId: string): unknown[]
  /** Makes the body of the response from the rows of the statement. */
  present(rows: Rows): unknown
}

const STAGES = stagesSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../brand/stages.json'), 'utf8')),
)

export const READS = {
  getTodo: read(getTodo.path, byUser, ([todo]) => todo),
  getClaims: read(getClaims.path, byUser, (rows) => rows.map(toClaim)),
  getCaseVersion: read(getCaseVersion.path, byUser, ([version]) => version),
  getUserInfo: read(getUserInfo.path, byUser, ([info]) => info),
  getAppointments: read(getAppointments.path, byUser, (rows) => rows),
  getCaseManager: read(getCaseManager.path, byUser, ([manager]) => ({
    caseManager: manager ?? null,
  })),
  getDocuments: read(getDocuments.path, byUser, (rows) =>
    // Only staff get this field, and a missing one is not in the JSON.
    rows.map((row) => ({ ...row, hasScripts: undefined })),
  ),
  getDocumentCategories: read(
    getDocumentCategories.path,
    // The value of `deleted`.
    () => [false],
    (rows) => {
      const names = rows.map(({ name }) => name)
      return [...names.filter((name) => name !== OTHER_CATEGORY), OTHER_CATEGORY]
    },
  ),
} satisfies Record<string, Read>

export type ReadName = keyof typeof READS
export const READ_NAMES = Object.keys(READS) as ReadName[]

/** The parameters of the statement that checks a session. */
export const sessionParameters = (accessHash: Buffer | string) => [accessHash]

/** The SQL that the API sends to PostgreSQL. */
export interface Statements {
  session: string
  reads: Record<ReadName, string>
}

function read(path: string, parameters: Read['parameters'], present: Read['present']): Read {
  return { path, parameters, present }
}

function byUser(userId: string): string[] {
  return [userId]
}

/** A task of the processes that load a server or PostgreSQL with reads. */
export interface ReadTask {
  base: string
  names: ReadName[]
  /** The number of veterans who are signed in. */
  sessions: number
  loop: Loop
}

/** Returns a function that picks a random veteran for each call, so that caches do not help. */
export function randomVeteran(sessions: number): () => number {
  return () => Math.floor(Math.random() * sessions)
}

/** Enough for the claims of this run: each is in a known stage and was in no other. */
function toClaim(row: Rows[number]): Claim {
  const { id, title, closed, nextStep, stage, since } = row as unknown as Omit<Claim, 'stage'> & {
    stage: string
  }
  const place = STAGES.findIndex(({ key }) => key === stage)
  const { label, sentence, actor, usualTime = null } = STAGES[place]!
  const steps = STAGES.map((each, index): Claim['steps'][number] => {
    if (index === place) return { label: each.label, state: 'current', enteredAt: since }
    return { label: each.label, state: index < place ? 'done' : 'ahead', enteredAt: null }
  })
  const current = { label, sentence, actor, usualTime }
  return { id, title, closed, stage: current, since, nextStep, movedBack: null, steps }
}
