import { getIntake } from '@guidon/contract/intake'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const intakeQuery = queryOptions({
  queryKey: ['intake'],
  queryFn: ({ signal }) => call(getIntake, { signal }),
  // The wizard works on its own draft and would ignore the result.
  refetchOnWindowFocus: false,
})

/** Key of a cached `true`: answers of this tab came after the intake had been submitted elsewhere. */
export const LATE_ANSWERS = ['intake', 'late-answers'] as const
