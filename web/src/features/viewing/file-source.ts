import { getContent, getContentOf } from '@guidon/contract/viewing'
import { call } from '../../api/call.ts'
import { addressOf } from '../../api/send.ts'

/** Where the bytes of a document come from. */
export interface FileSource {
  /** Of the document. */
  id: string
  /** Of its owner, for staff. */
  userId?: string | undefined
}

/** Throws a `CallFailure` that says why the file cannot be opened. Also refreshes the session, which an image cannot. */
export async function checkFile({ id, userId }: FileSource): Promise<void> {
  const query = { as: 'check' } as const
  if (userId === undefined) await call(getContent, { params: { id }, query })
  else await call(getContentOf, { params: { id, userId }, query })
}

export const fileAddress = ({ id, userId }: FileSource, as: 'view' | 'download'): string =>
  userId === undefined
    ? addressOf(getContent, { params: { id }, query: { as } })
    : addressOf(getContentOf, { params: { id, userId }, query: { as } })
