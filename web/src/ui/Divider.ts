import { styled } from '@mui/material/styles'

/** A line between a form and the links below it. */
export const Divider = styled('hr')(({ theme: { vars } }) => ({
  margin: '32px 0 24px',
  border: 0,
  borderTop: `1px solid ${vars.palette.divider}`,
}))
