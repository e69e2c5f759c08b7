import { NOTICE_WORDS, noticeSaved } from '@guidon/contract/notice-words'
import type { NoticeKind } from '@guidon/contract/notices'
import { useId } from 'react'
import { failureText } from '../../ui/failure-text.ts'
import { Notice } from '../../ui/Notice.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import type { PreferencesAccess } from './preferences.ts'
import { useNoticeSwitch } from './use-notice-switch.ts'
import css from './NoticeRow.module.css'

const Row = withClass('label', css['row'])

const Switch = withClass('input', css['switch'])

/** Without `aria-checked`, which a checkbox must not have. */
const SWITCH = { type: 'checkbox', role: 'switch' } as const

interface Props {
  kind: NoticeKind
  savedOn: boolean
  preferences: PreferencesAccess
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
