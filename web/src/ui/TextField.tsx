import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { useId, type Ref } from 'react'
import { Field, FieldError } from './Field.tsx'

export interface TextFieldProps extends Omit<OutlinedInputProps, 'error' | 'ref' | 'inputRef'> {
  label: string
  error?: string | undefined
  /** Id of a further text that explains the field. */
  describedBy?: string
  ref?: Ref<HTMLInputElement>
}

export function TextField({ label, error, describedBy, ref, id: given, ...input }: TextFieldProps) {
  const ownId = useId()
  const id = given ?? ownId
  const errorId = `${id}-error`
  const texts = [error !== undefined && errorId, describedBy].filter(Boolean).join(' ')
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      <OutlinedInput
        {...input}
        id={id}
        inputRef={ref}
        fullWidth
        error={error !== undefined}
        {...(texts !== '' && { 'aria-describedby': texts })}
      />
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </Field>
  )
}
