import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { brand } from './brand.ts'

const Line = styled('footer')(({ theme: { vars } }) => ({
  padding: '20px 16px',
  textAlign: 'center',
  fontSize: '0.9rem',
  color: vars.palette.text.secondary,
  borderTop: `1px solid ${vars.palette.divider}`,
}))

export function Footer() {
  const [year] = useState(() => new Date().getFullYear())
  return (
    <Line>
      © {year} {brand.name}. All Rights Reserved
    </Line>
  )
}
