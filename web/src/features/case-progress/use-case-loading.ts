import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTimeout } from '../../ui/use-timeout.ts'
import { claimsQuery, todoQuery } from './case-queries.ts'

/** Slow calls do not delay the rest of the page longer than this. */
const MAX_SECONDS = 1.5

/** Whether the to-do list and the claims are still being fetched for the first time. Their sections fetch them. */
export function useCaseLoading(): boolean {
  const todo = useQuery({ ...todoQuery, enabled: false })
  const claims = useQuery({ ...claimsQuery, enabled: false })
  const [isLate, setIsLate] = useState(false)
  useTimeout(MAX_SECONDS, !isLate, () => setIsLate(true))
  // Deferred, as the content of these sections is.
  return useDeferredValue(!isLate && (todo.isPending || claims.isPending))
}
