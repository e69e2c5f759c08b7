import { telHref } from '@guidon/contract/brand'
import Call from '@mui/icons-material/Call'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { brand } from './brand.ts'

const Bar = styled('header')(({ theme: { vars, breakpoints } }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '0 8px',
  padding: '10px clamp(12px, 4vw, 32px)',
  backgroundColor: vars.palette.background.paper,
  borderBottom: `1px solid ${vars.palette.divider}`,
  '& img': { display: 'block', height: 40, width: 'auto' },
  [breakpoints.up('sm')]: { columnGap: 24, '& img': { height: 55 } },
  '@media print': { paddingInline: 0 },
}))

const Disc = styled('span')(({ theme: { vars } }) => ({
  display: 'grid',
  placeItems: 'center',
  width: '1.9rem',
  height: '1.9rem',
  borderRadius: '50%',
  color: vars.palette.text.primary,
  backgroundColor: vars.palette.tint.soft,
}))

/** `children`: the account bar, in a separate row on narrow screens. */
export function Header({ children }: { children?: ReactNode }) {
  return (
    <Bar>
      <picture>
        <source srcSet="/brand/logo-dark.svg" media="(prefers-color-scheme: dark)" />
        <img src="/brand/logo.svg" alt={brand.name} />
      </picture>
      <Link
        href={telHref(brand.phone)}
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          minHeight: 44,
          ml: 'auto',
          whiteSpace: 'nowrap',
        }}
      >
        <Disc>
          <Call aria-hidden sx={{ fontSize: '1.05rem' }} />
        </Disc>
        {brand.phone}
      </Link>
      {children && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'space-between',
            columnGap: 3,
            minWidth: 0,
            width: { xs: '100%', md: 'auto' },
            pt: { xs: 1, md: 0 },
          }}
        >
          {children}
        </Box>
      )}
    </Bar>
  )
}
