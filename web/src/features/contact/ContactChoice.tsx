import type { ContactMethod } from '@guidon/contract/contact'
import { useId } from 'react'
import { FieldError } from '../../ui/Field.tsx'
import { withClass } from '../../ui/with-class.ts'
import css from './ContactChoice.module.css'

const Group = withClass('fieldset', css['group'])

const METHODS: readonly { method: ContactMethod; label: string }[] = [
  { method: 'Call', label: 'Phone' },
  { method: 'Email', label: 'Email' },
]

interface Props {
  chosen: ContactMethod | undefined
  onChoose: (method: ContactMethod) => void
  missing: boolean
}

export function ContactChoice({ chosen, onChoose, missing }: Props) {
  const id = useId()
  return (
    <Group
      role="radiogroup"
      aria-invalid={missing}
      {...(missing && { 'aria-describedby': `${id}-error` })}
    >
      <legend>How would you like us to reach you?</legend>
      {METHODS.map(({ method, label }) => (
        <label key={method}>
          <input
            type="radio"
            name={id}
            checked={chosen === method}
            onChange={() => onChoose(method)}
          />
          {label}
        </label>
      ))}
      {missing && <FieldError id={`${id}-error`}>Please choose Phone or Email.</FieldError>}
    </Group>
  )
}
