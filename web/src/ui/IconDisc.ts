import { styled } from '@mui/material/styles'

/** The large icon above the heading of a result page. */
export const IconDisc = styled('div')(({ theme: { vars } }) => ({
  display: 'grid',
  placeItems: 'center',
  width: '4rem',
  height: '4rem',
  borderRadius: '50%',
  color: vars.palette.primary.main,
  backgroundColor: vars.palette.tint.soft,
  '& svg': { fontSize: '2rem' },
}))
