import { styled } from '@mui/material/styles'

/** The content of the phone's page. */
export const Stack = styled('div')({
  display: 'grid',
  gap: 20,
  justifyItems: 'stretch',
  '& > [role]:empty': { display: 'none' },
})
