import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { actor } from './stages.ts'

const step = z.object({
  label: z.string(),
  state: z.enum(['done', 'current', 'ahead']),
  /** ISO timestamp; null if the claim has not been in this stage, or if the time is unknown. */
  enteredAt: z.nullable(z.string()),
})
export type ClaimStep = z.infer<typeof step>

export const claim = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  closed: z.boolean(),
  /** The current stage. Only its label is known if the provider's list of stages does not have it. */
  stage: z.object({
    label: z.string(),
    sentence: z.nullable(z.string()),
    actor: z.nullable(actor),
    usualTime: z.nullable(z.string()),
  }),
  /** ISO timestamp: since when the claim is in this stage. */
  since: z.nullable(z.string()),
  /** What happens next, in the words of the staff. */
  nextStep: z.nullable(z.string()),
  /** If the claim came to this stage from a later one. */
  movedBack: z.nullable(z.object({ reason: z.nullable(z.string()) })),
  steps: z.array(step),
})
export type Claim = z.infer<typeof claim>

/** More claims of one veteran are left out, the closed and oldest ones first. */
export const CLAIMS_MAX = 50
/** Of a claim's history, only the newest steps are read. */
export const CLAIM_STEPS_MAX = 100

/**
 * Open claims before closed ones, and among both the last changed first. Empty if the provider keeps no claims in the
 * CRM.
 */
export const getClaims = endpoint({
  method: 'GET',
  path: '/claims/me',
  session: 'required',
  roles: ['USER'],
  response: z.array(claim),
  failure: 'Failed to get your claims.',
})
