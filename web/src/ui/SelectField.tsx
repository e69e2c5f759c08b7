import ExpandMore from '@mui/icons-material/ExpandMore'
import { useId, type ComponentProps } from 'react'
import { Field, FieldError } from './Field.tsx'
import { SelectFrame } from './SelectFrame.ts'

interface OptionGroup {
  label: string
  options: readonly string[]
}

interface Props extends ComponentProps<'select'> {
  label: string
  placeholder: string
  options: readonly (string | OptionGroup)[]
  error?: string | undefined
}

/** A native select: phones show their own picker, and typing jumps to an option. */
export function SelectField({ label, placeholder, options, error, ...select }: Props) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      <SelectFrame>
        <select
          {...select}
          id={id}
          aria-invalid={error !== undefined}
          {...(error !== undefined && { 'aria-describedby': errorId })}
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
