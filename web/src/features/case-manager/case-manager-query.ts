import { getCaseManager } from '@guidon/contract/case-manager'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const caseManagerQuery = queryOptions({
  queryKey: ['case-manager'],
  queryFn: ({ signal }) => call(getCaseManager, { signal }),
})
