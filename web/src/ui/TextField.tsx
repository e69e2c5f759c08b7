import { useId, type ReactNode, type Ref } from 'react'
import { Field, FieldError, FieldHint } from './Field.tsx'
import { OutlinedInput, type OutlinedInputProps } from './OutlinedInput.tsx'

export interface TextFieldProps extends Omit<OutlinedInputProps, 'error' | 'ref'> {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** Id of a further text that explains the field. */
  describedBy?: string
  ref?: Ref<HTMLInputElement>
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, describedBy, ref, id: given, ...input } = props
  const ownId = useId()
  const id = given ?? ownId
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const texts = [hint && hintId, error !== undefined && errorId, describedBy]
    .filter(Boolean)
    .join(' ')
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      {hint && <FieldHint id={hintId}>{hint}</FieldHint>}
      <OutlinedInput
        {...input}
        id={id}
        ref={ref}
        error={error !== undefined}
        {...(texts !== '' && { 'aria-describedby': texts })}
      />
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </Field>
  )
}
