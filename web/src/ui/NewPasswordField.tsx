import type { PersonalInfo } from '@guidon/contract/password-strength'
import { useDeferredValue, useId, useMemo } from 'react'
import { passwordProgress } from './password-progress.ts'
import { PasswordField } from './PasswordField.tsx'
import { PasswordRules } from './PasswordRules.tsx'
import { UNKNOWN_PERSON } from './strength.ts'
import type { TextFieldProps } from './TextField.tsx'
import { useStrength } from './use-strength.ts'

interface Props extends TextFieldProps {
  /** Names the field in its Show button. */
  nameInButton?: string
  /** The current text of the field. */
  text: string
  /** The name and email that the password must not contain, if the screen knows them. */
  person?: PersonalInfo
  /** Above the rules. */
  rulesHeading?: string
}

/** The field for a new password, with its rules checked while typing. */
export function NewPasswordField({ text, person = UNKNOWN_PERSON, rulesHeading, ...field }: Props) {
  const id = useId()
  const { check, load } = useStrength()
  // The estimate is slow on old phones, so typing must not wait for it.
  const deferredText = useDeferredValue(text)
  const deferredPerson = useDeferredValue(person)
  const rules = useMemo(
    () => passwordProgress(deferredText, deferredPerson, check),
    [deferredText, deferredPerson, check],
  )
  return (
    <div>
      <PasswordField {...field} autoComplete="new-password" describedBy={id} onFocus={load} />
      <PasswordRules id={id} rules={rules} heading={rulesHeading} />
    </div>
  )
}
