import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useId, type ReactNode } from 'react'
import { FieldError, FieldHint } from '../../ui/Field.tsx'

const Group = styled('fieldset')({ minWidth: 0, margin: 0, padding: 0, border: 0 })

const LabelRow = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 44,
  marginBottom: 4,
  maxWidth: '34rem',
  fontWeight: 700,
  fontSize: '0.95rem',
})

const Options = styled('div')(({ theme: { vars } }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(var(--column), 100%), 1fr))',
  gap: 12,
  maxWidth: '34rem',
  '& > label': {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 52,
    padding: '10px 16px',
    lineHeight: 1.35,
    border: `1px solid ${vars.palette.field}`,
    borderRadius: 12,
    cursor: 'pointer',
    '&:hover': { borderColor: vars.palette.text.primary },
    '&:has(:checked)': {
      borderColor: vars.palette.primary.main,
      boxShadow: `inset 0 0 0 1px ${vars.palette.primary.main}`,
      backgroundColor: vars.palette.tint.faint,
    },
    '&:has(:focus-visible)': {
      outline: `3px solid ${vars.palette.primary.main}`,
      outlineOffset: 2,
    },
  },
  '& input': {
    flex: 'none',
    display: 'grid',
    placeItems: 'center',
    width: 24,
    height: 24,
    margin: 0,
    appearance: 'none',
    color: vars.palette.primary.main,
    border: `2px solid ${vars.palette.field}`,
    borderRadius: 6,
    cursor: 'inherit',
    '&[type=radio]': { borderRadius: '50%' },
    '&:checked': { borderColor: 'currentcolor' },
    '&:checked::before': { content: '""', width: 12, height: 12, backgroundColor: 'currentcolor' },
    '&[type=radio]:checked::before': { borderRadius: '50%' },
    '&[type=checkbox]:checked::before': {
      width: 16,
      height: 16,
      clipPath: 'polygon(14% 44%, 0 60%, 38% 96%, 100% 18%, 86% 4%, 37% 66%)',
    },
    '&:focus-visible': { outline: 'none' },
    // The browser draws its own dot or tick, which ours would cover.
    '@media (forced-colors: active)': {
      appearance: 'auto',
      '&:checked::before': { content: 'none' },
    },
  },
}))

interface Props {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** Smallest width of one option; as many are placed in a row as fit. */
  minColumnRem?: number
  /** Clears the answer; absent while there is none. */
  onClear?: (() => void) | undefined
  /** Each a label with its input. */
  children: ReactNode
}

/** A question with its choices as large touch targets. */
export function ChoiceField(props: Props) {
  const { label, hint, error, minColumnRem = 8.4, onClear, children } = props
  const id = useId()
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const describedBy = [hint && hintId, error !== undefined && errorId].filter(Boolean).join(' ')
  return (
    // No legend, because it cannot share a row with a button.
    <Group aria-labelledby={id} {...(describedBy !== '' && { 'aria-describedby': describedBy })}>
      <LabelRow>
        <span id={id}>{label}</span>
        {onClear && (
          <Button
            variant="text"
            aria-label={`Clear ${label}`}
            onClick={onClear}
            sx={{ px: 1, minWidth: 0, minHeight: 44, fontSize: '0.9rem' }}
          >
            Clear
          </Button>
        )}
      </LabelRow>
      {hint && (
        <FieldHint id={hintId} sx={{ mt: -1 }}>
          {hint}
        </FieldHint>
      )}
      <Options sx={{ '--column': `${minColumnRem}rem` }}>{children}</Options>
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </Group>
  )
}
