import { useEffect } from 'react'
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import type { CallFailure } from '../../api/call-failure.ts'

/** Shows the server's field messages at their fields, and focuses the first. */
export function useFieldFailures<Values extends FieldValues>(
  failure: CallFailure | null,
  names: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
): void {
  useEffect(() => {
    const refused = names.filter((name) => failure?.fields[name])
    for (const [at, name] of refused.entries()) {
      const error = { type: failure?.code ?? '', message: failure?.fields[name] ?? '' }
      setError(name, error, { shouldFocus: at === 0 })
    }
  }, [failure, names, setError])
}
