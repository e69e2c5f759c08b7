import { styled } from '@mui/material/styles'

/** A line between a form and what else can be done. */
export const Divider = styled('hr')(({ theme: { vars } }) => ({
  margin: '32px 0 24px',
  border: 0,
  borderTop: `1px solid ${vars.palette.divider}`,
}))
