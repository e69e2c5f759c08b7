import type { AnswerName } from '@guidon/contract/intake'
import { useWatch } from 'react-hook-form'
import { ChoiceField } from './ChoiceField.tsx'
import { fieldProps, type StepForm } from './wizard-step.ts'

interface Props {
  form: StepForm
  name: AnswerName
  label: string
  hint?: string
  options: readonly string[]
  /** One option per row, for long texts. */
  wide?: boolean
}

/** A choice of one option, which can be cleared because every answer is optional. */
export function RadioField({ form, name, label, hint, options, wide = false }: Props) {
  const { error, ...input } = fieldProps(form, name)
  const chosen = useWatch({ control: form.control, name })

  function clear(): void {
    form.setValue(name, '', { shouldDirty: true })
    // The Clear button disappears, so keep the focus at the question.
    form.setFocus(name)
  }

  return (
    <ChoiceField
      label={label}
      hint={hint}
      error={error}
      {...(wide && { minColumnRem: 34 })}
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
