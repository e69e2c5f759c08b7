import { getConsents } from '@guidon/contract/consents'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const consentsQuery = queryOptions({
  queryKey: ['consents'],
  queryFn: ({ signal }) => call(getConsents, { signal }),
})
