import type { AnswerName } from '@guidon/contract/intake'
import { useWatch } from 'react-hook-form'
import { ChoiceField } from './ChoiceField.tsx'
import { fieldOf, type StepForm } from './wizard-step.ts'

interface Props {
  form: StepForm
  name: AnswerName
  label: string
  options: readonly string[]
  /** Long options stand under each other. */
  wide?: boolean
}

/** One of a few; and, since every answer is optional, none again. */
export function RadioField({ form, name, label, options, wide = false }: Props) {
  const { error, ...input } = fieldOf(form, name)
  const chosen = useWatch({ control: form.control, name })

  function clear(): void {
    form.setValue(name, '', { shouldDirty: true })
    // The button is gone with the answer; the keyboard stays at the question.
    form.setFocus(name)
  }

  return (
    <ChoiceField
      label={label}
      error={error}
      {...(wide && { columnRem: 34 })}
      onClear={chosen ? clear : undefined}
    >
      {options.map((option) => (
        <label key={option}>
          <input {...input} type="radio" value={option} />
          {option}
        </label>
      ))}
    </ChoiceField>
  )
}
