import ExpandMore from '@mui/icons-material/ExpandMore'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { Field, FieldError, FieldHint } from './Field.tsx'
import { SelectFrame } from './SelectFrame.ts'

interface OptionGroup {
  label: string
  options: readonly string[]
}

interface Props extends ComponentProps<'select'> {
  label: string
  hint?: ReactNode
  placeholder: string
  options: readonly (string | OptionGroup)[]
  error?: string | undefined
}

/** A native select: phones show their own picker, and typing jumps to an option. */
export function SelectField({ label, hint, placeholder, options, error, ...select }: Props) {
  const id = useId()
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const texts = [hint && hintId, error !== undefined && errorId].filter(Boolean).join(' ')
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      {hint && <FieldHint id={hintId}>{hint}</FieldHint>}
      <SelectFrame>
        <select
          {...select}
          id={id}
          aria-invalid={error !== undefined}
          {...(texts !== '' && { 'aria-describedby': texts })}
        >
          <option value="">{placeholder}</option>
          {options.map((option) =>
            typeof option === 'string' ? (
              <option key={option}>{option}</option>
            ) : (
              <optgroup key={option.label} label={option.label}>
                {option.options.map((inGroup) => (
                  <option key={inGroup}>{inGroup}</option>
                ))}
              </optgroup>
            ),
          )}
        </select>
        <ExpandMore aria-hidden />
      </SelectFrame>
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </Field>
  )
}
