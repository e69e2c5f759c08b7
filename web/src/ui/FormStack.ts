import { styled } from '@mui/material/styles'

/** A form with stacked fields; an empty notice takes no space. */
export const FormStack = styled('form')({
  display: 'grid',
  gap: 26,
  marginTop: 32,
  '& > [role]:empty': { display: 'none' },
})
