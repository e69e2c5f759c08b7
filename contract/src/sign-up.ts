import * as z from 'zod/mini'
import { email } from './account.ts'
import { verification } from './auth.ts'
import { acceptedTexts } from './consents.ts'
import { endpoint } from './endpoint.ts'
import { newPassword } from './password.ts'
import { firstName, lastName, phone, state } from './person.ts'
import type { Refusal } from './refusal.ts'

export const signUp = z.object({
  email,
  password: newPassword,
  firstName,
  lastName,
  phone,
  state,
})
export type SignUp = z.infer<typeof signUp>

/** The screen's form. It can be submitted only if the checkbox `terms` is ticked. */
export const signUpForm = z.extend(signUp, {
  terms: z.literal(true, 'You must accept the terms'),
})

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  session: 'none',
  status: 202,
  /** `consents`: the texts that the page showed. Without them, the current ones count as shown. */
  body: z.extend(signUp, { consents: z.optional(acceptedTexts) }),
  failure: 'Failed to sign up, please try again later.',
})

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/auth/verify-email',
  session: 'challenge',
  body: verification,
  /** Whether the account is now linked to a contact of the CRM. */
  response: z.object({ salesforceInfo: z.object({ linkedToExistingAccount: z.boolean() }) }),
  failure: 'Failed to verify email code, please try again later.',
})

/** `message`: why the provider does not offer it in this state. */
export const signUpNotOffered = (message: string): Refusal => ({
  status: 422,
  code: 'sign_up_not_offered',
  message,
})
