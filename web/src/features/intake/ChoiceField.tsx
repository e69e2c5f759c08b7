import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useId, type ReactNode } from 'react'
import { FieldError } from '../../ui/Field.tsx'

const Group = styled('fieldset')({
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
  '& > legend': { padding: 0, marginBottom: 8, fontWeight: 700, fontSize: '0.95rem' },
})

const Options = styled('div')<{ wide: boolean }>(({ wide, theme: { vars } }) => ({
  display: 'grid',
  gridTemplateColumns: wide ? '1fr' : 'repeat(auto-fill, minmax(min(8.4rem, 100%), 1fr))',
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
    width: 22,
    height: 22,
    margin: 0,
    accentColor: vars.palette.primary.main,
    cursor: 'inherit',
    '&:focus-visible': { outline: 'none' },
  },
}))

interface Props {
  label: string
  error?: string | undefined
  /** Long options stand under each other. */
  wide?: boolean
  /** Takes the answer back; absent while there is none. */
  onClear?: (() => void) | undefined
  /** Each a label with its input. */
  children: ReactNode
}

/** A question with its choices as large surfaces to press. */
export function ChoiceField({ label, error, wide = false, onClear, children }: Props) {
  const errorId = useId()
  return (
    <Group {...(error !== undefined && { 'aria-describedby': errorId })}>
      <legend>{label}</legend>
      <Options wide={wide}>{children}</Options>
      {onClear && (
        <Button
          variant="text"
          aria-label={`Clear ${label}`}
          onClick={onClear}
          sx={{ mt: 0.5, ml: -1, px: 1, minHeight: 44 }}
        >
          Clear
        </Button>
      )}
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </Group>
  )
}
