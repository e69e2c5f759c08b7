import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { menuPlaces } from './menu-places.ts'

const Menu = styled('nav')(({ theme: { vars, breakpoints } }) => ({
  '& ul': { display: 'flex', margin: 0, padding: 0, listStyle: 'none' },
  '& a, & button': {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    width: '100%',
    font: 'inherit',
    color: vars.palette.text.primary,
    textDecoration: 'none',
    background: 'none',
    border: 0,
    cursor: 'pointer',
  },
  '& svg': { color: vars.palette.text.secondary },
  '& a.active': { fontWeight: 700, '& svg': { color: vars.palette.primary.main } },

  [menuPlaces.column]: {
    '& ul': { flexDirection: 'column', gap: 4 },
    '& a, & button': {
      gap: 12,
      minHeight: 48,
      padding: '8px 16px',
      borderRadius: 12,
      textAlign: 'start',
    },
    '& a:hover, & button:hover': { backgroundColor: vars.palette.tint.faint },
    '& a.active': { backgroundColor: vars.palette.tint.soft },
    '& a.active::before': {
      content: '""',
      position: 'absolute',
      insetBlock: 10,
      left: 0,
      borderLeft: `4px solid ${vars.palette.primary.main}`,
      borderRadius: 2,
    },
  },

  [breakpoints.down('md')]: {
    zIndex: 5,
    backgroundColor: vars.palette.background.paper,
    '& li': { flex: 1 },
    '& a, & button': {
      flexDirection: 'column',
      gap: 2,
      padding: '8px 4px',
      fontSize: '0.8rem',
      fontWeight: 600,
      textAlign: 'center',
      outlineOffset: -4,
    },
    '& svg': { boxSizing: 'content-box', padding: '2px 16px', borderRadius: 16 },
    '& a.active': { color: vars.palette.primary.main },
    '& a.active svg': { backgroundColor: vars.palette.tint.soft },
    // Forced colours remove the tint.
    '@media (forced-colors: active)': { '& a.active svg': { outline: '2px solid Highlight' } },
  },
  [menuPlaces.bottom]: {
    position: 'fixed',
    inset: 'auto 0 0',
    paddingBottom: 'env(safe-area-inset-bottom)',
    borderTop: `1px solid ${vars.palette.divider}`,
    '@media print': { position: 'static' },
  },
  [menuPlaces.side]: {
    position: 'fixed',
    inset: '0 auto 0 0',
    width: 'var(--menu-width)',
    paddingLeft: 'env(safe-area-inset-left)',
    borderRight: `1px solid ${vars.palette.divider}`,
    overflowY: 'auto',
    '& ul': { flexDirection: 'column', justifyContent: 'center', minHeight: '100%' },
    '& li': { flex: 'none' },
    '@media print': { position: 'static' },
  },
  [menuPlaces.top]: { border: `1px solid ${vars.palette.divider}`, borderRadius: 16 },
}))

export interface MenuEntry {
  to: string
  label: string
  icon: ReactNode
}

interface Props {
  entries: readonly MenuEntry[]
  /** An action, such as Log out, after the links. */
  children: ReactNode
}

/** One list: a column beside the page, or a bar on a phone. */
export function DashboardMenu({ entries, children }: Props) {
  return (
    <Menu aria-label="Main">
      <ul>
        {entries.map(({ to, label, icon }) => (
          <li key={to}>
            <NavLink to={to}>
              {icon}
              {label}
            </NavLink>
          </li>
        ))}
        <li>{children}</li>
      </ul>
    </Menu>
  )
}
