import { getCaseActivity } from '@guidon/contract/case-activity'
import { getClaims } from '@guidon/contract/claims'
import { getTodo } from '@guidon/contract/todo'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const todoQuery = queryOptions({
  queryKey: ['todo'],
  queryFn: ({ signal }) => call(getTodo, { signal }),
})

export const claimsQuery = queryOptions({
  queryKey: ['claims'],
  queryFn: ({ signal }) => call(getClaims, { signal }),
})

export const caseActivityQuery = queryOptions({
  queryKey: ['case-activity'],
  queryFn: ({ signal }) => call(getCaseActivity, { signal }),
})
