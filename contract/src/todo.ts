import * as z from 'zod/mini'
import { claim } from './claims.ts'
import { byId, endpoint } from './endpoint.ts'

/** In the order of the list. */
export const TODO_KINDS = [
  'overdueDocument',
  'requestedDocument',
  'unusableDocument',
  'failedUpload',
  'intake',
  'appointment',
] as const

export const todoItem = z.object({
  kind: z.enum(TODO_KINDS),
  /** The id of the document, as in the list of documents, or of the appointment; for the intake, that of the account. */
  id: z.string(),
  /** The name of the document or clinic; null for the intake. */
  subject: z.nullable(z.string()),
  /** yyyy-mm-dd: the last day for a document, the day of an appointment. Null if there is none. */
  due: z.nullable(z.string()),
  /** Why the provider needs it, or why a document cannot be used, in the words of the staff. */
  why: z.nullable(z.string()),
})
export type TodoItem = z.infer<typeof todoItem>

const KNOWN_KINDS: ReadonlySet<unknown> = new Set(TODO_KINDS)

/** Without items of a later release's kind, so that an open tab still shows the others. */
const todoItems = z.pipe(
  z.transform((items: TodoItem[]) =>
    Array.isArray(items) ? items.filter((item) => KNOWN_KINDS.has(item?.kind)) : items,
  ),
  z.array(todoItem),
)

/** An appointment is listed this many days before. */
export const APPOINTMENT_DAYS = 7

/** More items are left out, the least urgent ones first. */
export const TODO_MAX = 100

/** What the veteran has to do, most urgent first. */
export const getTodo = endpoint({
  method: 'GET',
  path: '/todo/me',
  session: 'required',
  roles: ['USER'],
  response: z.object({
    items: todoItems,
    /**
     * ISO timestamp: when the portal last read documents and appointments from the CRM. The current time if the account
     * is not linked to a contact.
     */
    checkedAt: z.string(),
  }),
  failure: 'Failed to get your to-do list.',
})

/** The title of an item on screens. Names come from staff, so they are not inserted into a sentence. */
export function todoTitle({ kind, subject }: TodoItem): string {
  const name = subject ?? ''
  switch (kind) {
    case 'overdueDocument':
    case 'requestedDocument':
      return name ? `Send us: ${name}` : 'Send us a document'
    case 'unusableDocument':
      return name ? `Send a new copy: ${name}` : 'Send a new copy of a document'
    case 'failedUpload':
      return name ? `Send again: ${name}` : 'Send a document again'
    case 'intake':
      return 'Finish your intake'
    case 'appointment':
      return name ? `Go to your appointment: ${name}` : 'Go to your appointment'
  }
}

export const NOTHING_TO_DO = 'There is nothing you need to do right now.'

/** For staff: the to-do list and the claims of an account, as its owner sees them. Each view is audited. */
export const getProgressOf = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/progress',
  params: byId,
  session: 'required',
  roles: ['STAFF', 'ADMIN'],
  response: z.object({ todo: todoItems, claims: z.array(claim) }),
  failure: 'Failed to load the to-do list and the claims of this account.',
})
