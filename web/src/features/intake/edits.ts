import type { EntryName, Intake } from '@guidon/contract/intake'
import { PREFILLED, timedEdit, type Edit } from '@guidon/contract/intake-merge'

/** The edit of a prefilled answer. It replaces no earlier edits, whose ids would be in `over`. */
export const prefilled = (): Edit => ({ id: PREFILLED, over: [] })

/** The server's current edit of an entry. A server of the previous release returns times only. */
export function serverEdit(
  { edits, editedAt }: Pick<Intake, 'edits' | 'editedAt'>,
  name: EntryName,
): Edit | undefined {
  if (edits) return edits[name]
  const time = editedAt[name]
  return time === undefined ? undefined : timedEdit(time)
}
