import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { codeOfParts, forgetLoadFailures } from '../ui/lazy-code.ts'
import { codeFrom } from './Screens.tsx'

/** Fetches the code of the next screens, so that they open at once, and also without a connection. */
export function LoadAhead() {
  const { pathname } = useLocation()
  useEffect(() => {
    const leaving = new AbortController()
    const start = () => void loadAhead(pathname, leaving.signal)
    start()
    addEventListener('online', start, { signal: leaving.signal })
    return () => leaving.abort()
  }, [pathname])
  return null
}

async function loadAhead(pathname: string, leaving: AbortSignal): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  try {
    // One at a time, so that the calls of the current screen come first.
    for (const code of codeToLoad(pathname)) {
      await idle()
      if (leaving.aborted || !navigator.onLine) return
      await code()
    }
  } catch {
    forgetLoadFailures()
  }
}

/** The code of the screens, then of their parts, because a screen adds its parts to the list when it is loaded. */
function* codeToLoad(pathname: string) {
  yield* codeFrom(pathname)
  yield* codeOfParts()
}

/** Waits until the browser is idle, or for a fixed time in Safari, which has no `requestIdleCallback`. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 2000 })
    else setTimeout(resolve, 200)
  })
}
