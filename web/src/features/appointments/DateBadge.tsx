import { styled } from '@mui/material/styles'
import type { DayBadge } from './appointment-texts.ts'

const Badge = styled('div')(({ theme: { vars } }) => ({
  flex: 'none',
  width: '3.7rem',
  overflow: 'hidden',
  textAlign: 'center',
  fontWeight: 700,
  border: `1px solid ${vars.palette.divider}`,
  borderRadius: 16,
  backgroundColor: vars.palette.tint.faint,
  '& div:first-of-type': {
    padding: '3px 0',
    fontSize: '0.9rem',
    letterSpacing: '0.04em',
    textTransform: 'uppercase',
    color: vars.palette.fill.ink,
    backgroundColor: vars.palette.fill.main,
  },
  '& div:last-of-type': { padding: '4px 0', fontSize: '1.5rem', lineHeight: 1.35 },
}))

/** Decoration: the date is also written in words. */
export function DateBadge({ day, date }: DayBadge) {
  return (
    <Badge aria-hidden>
      <div>{day}</div>
      <div>{date}</div>
    </Badge>
  )
}
