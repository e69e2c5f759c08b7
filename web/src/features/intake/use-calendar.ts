import { useState } from 'react'
import { forgetLoadFailures, lazyCode } from '../../ui/lazy-code.ts'
import type { DateOfBirthCalendar } from './DateOfBirthCalendar.tsx'

const loadCalendar = lazyCode(() => import('./DateOfBirthCalendar.tsx'))

interface State {
  kind: 'closed' | 'loading' | 'failed' | 'open'
  Calendar?: typeof DateOfBirthCalendar
}

/** The calendar's code is as large as a third of the first load, so it is a separate chunk. */
export function useCalendar() {
  const [{ kind, Calendar }, setState] = useState<State>({ kind: 'closed' })

  async function open(): Promise<void> {
    setState({ kind: 'loading' })
    try {
      const { DateOfBirthCalendar: loaded } = await loadCalendar()
      setState({ kind: 'open', Calendar: loaded })
    } catch {
      forgetLoadFailures()
      // The date can still be typed, so the screen must not fail.
      setState({ kind: 'failed' })
    }
  }

  return {
    open: () => void open(),
    close: () => setState({ kind: 'closed' }),
    loading: kind === 'loading',
    failed: kind === 'failed',
    Calendar: kind === 'open' ? Calendar : undefined,
  }
}
