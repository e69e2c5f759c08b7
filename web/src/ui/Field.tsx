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
