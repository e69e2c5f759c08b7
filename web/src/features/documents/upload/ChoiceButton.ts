import { styled } from '@mui/material/styles'

/** A large button for one way to add files. */
export const ChoiceButton = styled('button')(({ theme: { vars } }) => ({
  display: 'grid',
  justifyItems: 'center',
  alignContent: 'center',
  gap: 4,
  width: '100%',
  height: '100%',
  padding: '20px 16px',
  font: 'inherit',
  color: vars.palette.text.primary,
  textAlign: 'center',
  backgroundColor: vars.palette.tint.faint,
  border: `2px dashed ${vars.palette.primary.main}`,
  borderRadius: 16,
  cursor: 'pointer',
  '&:hover, &[data-over=true]': { backgroundColor: vars.palette.tint.soft },
  '&[data-over=true]': { borderStyle: 'solid' },
  '& svg': { fontSize: '2.2rem', color: vars.palette.primary.main },
  '& small': { fontSize: '0.9rem', color: vars.palette.text.secondary },
}))
