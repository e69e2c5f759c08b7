import type { PersonalInfo } from '@guidon/contract/password-strength'
import { useId } from 'react'
import { passwordProgress } from './password-progress.ts'
import { PasswordField } from './PasswordField.tsx'
import { PasswordRules } from './PasswordRules.tsx'
import type { TextFieldProps } from './TextField.tsx'

interface Props extends Omit<TextFieldProps, 'error'> {
  /** Names the field in its Show button. */
  nameInButton?: string
  /** The current text of the field. */
  text: string
  /** The name and email that the password must not contain, if the screen knows them. */
  person?: PersonalInfo
  /** Above the rules. */
  rulesHeading?: string
  /** The form's error. If its type is the code of a refusal, the rule that the server found broken is marked. */
  error?: { type?: string; message?: string | undefined } | undefined
}

/** The field for a new password, with its rules checked while typing. */
export function NewPasswordField({ text, person, error, rulesHeading, ...field }: Props) {
  const id = useId()
  return (
    <div>
      <PasswordField
        {...field}
        autoComplete="new-password"
        describedBy={id}
        error={error?.message}
      />
      <PasswordRules
        id={id}
        rules={passwordProgress({ text, person, error })}
        heading={rulesHeading}
      />
    </div>
  )
}
