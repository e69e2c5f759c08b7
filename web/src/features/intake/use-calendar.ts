import { useEffect, useState } from 'react'
import type { DateOfBirthCalendar } from './DateOfBirthCalendar.tsx'

const loadCalendar = () => import('./DateOfBirthCalendar.tsx')
/** For Safari, which has no `requestIdleCallback`. */
const IDLE_FALLBACK_MS = 5000

/** Loads the calendar while the wizard is open, so that it also opens without a connection. */
export function useCalendarAhead(): void {
  useEffect(() => {
    const load = () => void loadCalendar().catch(() => {})
    if ('requestIdleCallback' in globalThis) {
      const handle = requestIdleCallback(load)
      return () => cancelIdleCallback(handle)
    }
    const timer = setTimeout(load, IDLE_FALLBACK_MS)
    return () => clearTimeout(timer)
  }, [])
}

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
