import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const caseManager = z.object({
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
})
export type CaseManager = z.infer<typeof caseManager>

export const getCaseManager = endpoint({
  method: 'GET',
  path: '/salesforce/case-manager/me',
  session: 'required',
  roles: ['USER'],
  /** None until the provider has assigned one. */
  response: z.object({ caseManager: z.nullable(caseManager) }),
  failure: 'Failed to get case manager.',
})
