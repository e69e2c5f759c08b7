import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { useId, type Ref } from 'react'
import { Field, FieldError } from './Field.tsx'

export interface TextFieldProps extends Omit<OutlinedInputProps, 'error' | 'ref' | 'inputRef'> {
  label: string
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
}

export function TextField({ label, error, ref, id: given, ...input }: TextFieldProps) {
  const made = useId()
  const id = given ?? made
  const errorId = `${id}-error`
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      <OutlinedInput
        {...input}
        id={id}
        inputRef={ref}
        fullWidth
        error={error !== undefined}
        {...(error !== undefined && { 'aria-describedby': errorId })}
      />
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </Field>
  )
}
