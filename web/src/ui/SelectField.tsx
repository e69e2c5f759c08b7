import ExpandMore from '@mui/icons-material/ExpandMore'
import { styled } from '@mui/material/styles'
import { useId, type ComponentProps } from 'react'
import { Field, FieldError } from './Field.tsx'

const Frame = styled('div')(({ theme: { vars } }) => ({
  position: 'relative',
  '& > select': {
    width: '100%',
    padding: '11px 48px 11px 15px',
    font: 'inherit',
    lineHeight: 1.6,
    color: vars.palette.text.primary,
    textOverflow: 'ellipsis',
    appearance: 'none',
    backgroundColor: vars.palette.background.paper,
    border: `1px solid ${vars.palette.field}`,
    borderRadius: 8,
    cursor: 'pointer',
    '&:hover': { borderColor: vars.palette.text.primary },
    '&[aria-invalid=true]': {
      borderColor: vars.palette.error.main,
      boxShadow: `inset 0 0 0 1px ${vars.palette.error.main}`,
    },
    '&:focus': {
      outline: `2px solid ${vars.palette.primary.main}`,
      outlineOffset: -2,
      boxShadow: `0 0 0 4px ${vars.palette.tint.halo}`,
    },
    // While nothing is chosen the text is a hint, not an answer.
    '&:has(> option[value=""]:checked)': { color: vars.palette.text.secondary },
    '& > option': {
      color: vars.palette.text.primary,
      backgroundColor: vars.palette.background.paper,
    },
  },
  '& > svg': {
    position: 'absolute',
    insetBlock: 0,
    right: 14,
    marginBlock: 'auto',
    pointerEvents: 'none',
    color: vars.palette.text.secondary,
  },
}))

interface Props extends ComponentProps<'select'> {
  label: string
  placeholder: string
  options: readonly string[]
  error?: string | undefined
}

/** The browser's own list: a phone shows its wheel, a keyboard jumps by the first letters. */
export function SelectField({ label, placeholder, options, error, ...select }: Props) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      <Frame>
        <select
          {...select}
          id={id}
          aria-invalid={error !== undefined}
          {...(error !== undefined && { 'aria-describedby': errorId })}
        >
          <option value="">{placeholder}</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
        <ExpandMore aria-hidden />
      </Frame>
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </Field>
  )
}
