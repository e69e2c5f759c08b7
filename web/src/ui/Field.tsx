import ErrorIcon from '@mui/icons-material/ErrorOutlineOutlined'
import { styled } from '@mui/material/styles'

export const Field = styled('div')(({ theme: { vars } }) => ({
  '& > label, & > legend': {
    display: 'block',
    padding: 0,
    marginBottom: 6,
    fontWeight: 700,
    fontSize: '0.95rem',
  },
  '&:focus-within > label': { color: vars.palette.primary.main },
}))

/** A short explanation between the label and the control. */
export const FieldHint = styled('p')(({ theme: { vars } }) => ({
  margin: '-2px 0 6px',
  fontSize: '0.9rem',
  lineHeight: 1.45,
  color: vars.palette.text.secondary,
}))

const ErrorLine = styled('p')(({ theme: { vars } }) => ({
  display: 'flex',
  gap: 8,
  margin: '8px 0 0',
  fontSize: '0.9rem',
  fontWeight: 600,
  lineHeight: 1.45,
  color: vars.palette.error.main,
}))

/** The message under an invalid field. */
export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <ErrorLine id={id}>
      <ErrorIcon aria-hidden fontSize="small" />
      {children}
    </ErrorLine>
  )
}
