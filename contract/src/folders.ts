import * as z from 'zod/mini'
import { BOX_ID } from './box-id.ts'
import { byId, endpoint } from './endpoint.ts'
import { BOX_ID_MAX } from './limits.ts'
import type { Refusal } from './refusal.ts'
import { identifier } from './text.ts'

/** The folder in Box with the files of one veteran. */

export const boxFolderId = identifier(
  BOX_ID_MAX,
  BOX_ID,
  'Enter the number at the end of the folder’s address in Box',
)

/** Why no file is stored in a folder. */
export const FOLDER_PROBLEMS = [
  /** What the contact has in its field is not an id. */
  'notAnId',
  /** Box has no such folder, or it is in the trash. */
  'gone',
  /** The folders of all veterans are in it. */
  'containsOthers',
  /** It belongs to another account or contact, or is inside such a folder. */
  'taken',
] as const
export type FolderProblem = (typeof FOLDER_PROBLEMS)[number]

const STAFF_ROLES = ['STAFF', 'ADMIN'] as const

/** What is known of the account's folder. */
export const getFolder = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/folder',
  params: byId,
  session: 'required',
  roles: STAFF_ROLES,
  response: z.object({
    /** Why uploads wait. */
    problem: z.nullable(z.enum(FOLDER_PROBLEMS)),
    /** What the contact has in its field, if the account has another folder. */
    otherOfContact: z.nullable(z.string()),
  }),
  failure: 'Failed to load the Box folder. Please try again later.',
})

/** Opens a folder in Box before staff save its id. */
export const previewFolder = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/folder/preview',
  params: byId,
  session: 'required',
  roles: STAFF_ROLES,
  query: z.object({ boxFolderId }),
  response: z.object({
    /** Null if there is a problem. */
    name: z.nullable(z.string()),
    /** The name of the folder that contains it. */
    parentName: z.nullable(z.string()),
    problem: z.nullable(z.enum(FOLDER_PROBLEMS)),
  }),
  failure: 'Failed to look up the Box folder. Please try again later.',
})

export const FOLDER_MESSAGES: Readonly<Record<FolderProblem, string>> = {
  notAnId: 'Salesforce has a Box folder for this veteran that is not an ID.',
  gone: 'There is no folder with this ID in Box, or the portal may not open it.',
  containsOthers: 'This Box folder contains the folders of all veterans.',
  taken: 'This Box folder belongs to another veteran.',
}

export const folderRefused = (problem: FolderProblem): Refusal => ({
  status: problem === 'taken' ? 409 : 422,
  code: `folder_${problem}`,
  message: FOLDER_MESSAGES[problem],
})
export const FOLDER_CODES: ReadonlySet<string> = new Set(
  FOLDER_PROBLEMS.map((problem) => folderRefused(problem).code),
)
export const boxSilent: Refusal = {
  status: 503,
  code: 'box_silent',
  message: 'Box does not respond right now. Please try again in a few minutes.',
}
