import { CallFailure } from '../../api/call-failure.ts'
import * as ui from '../../ui/failure-text.ts'

/** The message of a failed call for a form; undefined if its fields show messages of their own. */
export function failureText(failure: Error | null): string | undefined {
  if (!(failure instanceof CallFailure)) return failure?.message
  if (Object.keys(failure.fields).length > 0) return undefined
  const text = ui.failureText(failure)
  return failure.status === 0 ? `${text} What you typed is still here.` : text
}
