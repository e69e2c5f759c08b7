import { getAppointments } from '@guidon/contract/appointments'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getDocumentCategories, getDocuments, OTHER_CATEGORY } from '@guidon/contract/documents'
import { getUserInfo } from '@guidon/contract/profile'

/** The five calls of a dashboard. */

export type Rows = Record<string, unknown>[]

export interface Read {
  path: string
  /** The parameters of the read's SQL statement. */
  parameters(userId: string): unknown[]
  /** Makes the body of the response from the rows of the statement. */
  present(rows: Rows): unknown
}

export const READS = {
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
