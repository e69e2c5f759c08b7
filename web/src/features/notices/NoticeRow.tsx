import { NOTICE_WORDS, noticeSaved } from '@guidon/contract/notice-words'
import type { NoticeKind } from '@guidon/contract/notices'
import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { failureText } from '../../ui/failure-text.ts'
import { Notice } from '../../ui/Notice.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import type { Preferences } from './preferences.ts'
import { useNoticeSwitch } from './use-notice-switch.ts'

const Row = styled('label')(({ theme: { vars } }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: '4px 20px',
  alignItems: 'center',
  minHeight: 48,
  cursor: 'pointer',
  '& strong, & small': { display: 'block' },
  '& small': { fontSize: '0.9rem', color: vars.palette.text.secondary },
  '& > :last-child': { display: 'grid', justifyItems: 'center', gap: 4, minWidth: '4.5rem' },
}))

const Switch = styled('input')(({ theme: { vars } }) => ({
  position: 'relative',
  appearance: 'none',
  width: 52,
  height: 32,
  margin: 0,
  border: `2px solid ${vars.palette.field}`,
  borderRadius: 16,
  backgroundColor: vars.palette.background.paper,
  cursor: 'pointer',
  '&::before': {
    content: '""',
    position: 'absolute',
    top: 4,
    left: 4,
    // A border, because forced colours remove backgrounds.
    border: `10px solid ${vars.palette.field}`,
    borderRadius: '50%',
    transition: 'transform 120ms',
  },
  '&:checked': {
    borderColor: vars.palette.primary.main,
    backgroundColor: vars.palette.primary.main,
  },
  '&:checked::before': {
    borderColor: vars.palette.primary.contrastText,
    transform: 'translateX(20px)',
  },
  '&:focus-visible': { borderRadius: 16 },
}))

/** Without `aria-checked`, which a checkbox must not have. */
const SWITCH = { type: 'checkbox', role: 'switch' } as const

interface Props {
  kind: NoticeKind
  savedOn: boolean
  preferences: Preferences
}

export function NoticeRow({ kind, savedOn, preferences }: Props) {
  const id = useId()
  const { on, flip, saving, saved, failure } = useNoticeSwitch(preferences, { kind, on: savedOn })
  const { label, when } = NOTICE_WORDS[kind]
  return (
    <li>
      <Row>
        <span>
          <strong id={id}>{label}</strong>
          <small id={`${id}-when`}>{when}</small>
        </span>
        <span>
          <Switch
            {...SWITCH}
            aria-labelledby={id}
            aria-describedby={`${id}-when`}
            checked={on}
            onChange={() => flip(!on)}
          />
          <small aria-hidden>
            {on ? 'On' : 'Off'}
            {saving ? '…' : saved === on && ', saved'}
          </small>
        </span>
      </Row>
      <VisuallyHidden as="output">
        {saved !== undefined && noticeSaved({ kind, on: saved })}
      </VisuallyHidden>
      <Notice kind="error">{failureText(failure)}</Notice>
    </li>
  )
}
