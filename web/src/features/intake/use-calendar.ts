import { useState } from 'react'
import type { DateOfBirthCalendar } from './DateOfBirthCalendar.tsx'

interface State {
  kind: 'closed' | 'loading' | 'failed' | 'open'
  Calendar?: typeof DateOfBirthCalendar
}

/** The calendar is as large as a third of the first load, so it is fetched when somebody asks for it. */
export function useCalendar() {
  const [{ kind, Calendar }, setState] = useState<State>({ kind: 'closed' })

  async function open(): Promise<void> {
    setState({ kind: 'loading' })
    try {
      const { DateOfBirthCalendar: loaded } = await import('./DateOfBirthCalendar.tsx')
      setState({ kind: 'open', Calendar: loaded })
    } catch {
      // The date can be typed; nothing else of the screen may fail with the calendar.
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
