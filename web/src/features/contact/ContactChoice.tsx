import type { ContactMethod } from '@guidon/contract/contact'
import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { FieldError } from '../../ui/Field.tsx'

const Group = styled('fieldset')(({ theme: { vars } }) => ({
  display: 'grid',
  gap: 12,
  margin: 0,
  padding: 0,
  border: 0,
  '& legend': { padding: 0, marginBottom: 12 },
  '& label': {
    display: 'flex',
    alignItems: 'center',
    gap: 14,
    minHeight: 56,
    padding: '8px 16px',
    fontWeight: 700,
    border: `1px solid ${vars.palette.field}`,
    borderRadius: 12,
    cursor: 'pointer',
  },
  '& label:hover': { backgroundColor: vars.palette.tint.faint },
  '& label:has(:checked)': {
    borderColor: vars.palette.primary.main,
    backgroundColor: vars.palette.tint.soft,
  },
  '& label:has(:focus-visible)': {
    outline: `3px solid ${vars.palette.primary.main}`,
    outlineOffset: 2,
  },
  '& input': {
    flex: 'none',
    width: 22,
    height: 22,
    margin: 0,
    accentColor: vars.palette.primary.main,
    '&:focus-visible': { outline: 'none' },
  },
}))

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
