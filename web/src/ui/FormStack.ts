import { styled } from '@mui/material/styles'

/** A form whose fields stand under each other; an empty notice takes no room. */
export const FormStack = styled('form')({
  display: 'grid',
  gap: 26,
  marginTop: 32,
  '& > [role]:empty': { display: 'none' },
})
