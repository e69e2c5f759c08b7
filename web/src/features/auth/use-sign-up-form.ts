import { PASSWORD_BREAKS_RULES } from '@guidon/contract/password'
import { signUpForm } from '@guidon/contract/sign-up'
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { withNameRule } from '../../ui/name-rule.ts'
import type { SignUpDraft } from './sign-up-draft.ts'

type Parsed = z.output<typeof signUpForm>
/** The form's values before validation: the state may be empty and the checkbox not ticked. */
type SignUpValues = Record<Exclude<keyof Parsed, 'terms'>, string> & { terms: boolean }

export const SIGN_UP_FIELDS = [
  'firstName',
  'lastName',
  'state',
  'phone',
  'email',
  'password',
] as const

const resolver = withNameRule<SignUpValues, Parsed>(
  zodResolver<SignUpValues, unknown, Parsed>(signUpForm),
  {
    field: 'password',
    message: PASSWORD_BREAKS_RULES,
    password: ({ password }) => password,
    person: (values) => values,
  },
)

/** `draft`: what was typed before, if the person comes back from the code page. */
export function useSignUpForm(draft: SignUpDraft | undefined) {
  return useForm<SignUpValues, unknown, Parsed>({
    resolver,
    defaultValues: {
      firstName: '',
      lastName: '',
      state: '',
      phone: '',
      email: '',
      // Never ticked in advance: another person may be using this tab now.
      terms: false,
      ...draft,
      password: '',
    },
  })
}
