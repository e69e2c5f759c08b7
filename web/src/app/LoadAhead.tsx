import { screens } from '@guidon/contract/screens'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { setFetchedAhead } from '../ui/lazy-code.ts'
import { laterFiles } from './later-files.ts'

const FILES_AT_ONCE = 4

/**
 * Fetches the code of later screens while the page is idle, so that they open at once, and also without a connection.
 * The code is neither compiled nor run, because that would block the page.
 */
export function LoadAhead() {
  const isStaff = useLocation().pathname.startsWith(screens.adminDashboard)
  useEffect(() => {
    const leaving = new AbortController()
    const start = () => void loadAhead(isStaff, leaving.signal)
    start()
    addEventListener('online', start, { signal: leaving.signal })
    return () => leaving.abort()
  }, [isStaff])
  return null
}

async function loadAhead(isStaff: boolean, leaving: AbortSignal): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  const { all, staff } = laterFiles()
  const files = isStaff ? [...staff, ...all] : all
  // A few at a time, so that the calls of the current screen come first.
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    await idle()
    if (leaving.aborted || !navigator.onLine) return
    const fetched = await Promise.all(files.slice(start, start + FILES_AT_ONCE).map(fetchOnce))
    if (fetched.includes(false)) return
  }
  setFetchedAhead()
}

/** A file that is still being fetched counts only once it has arrived, also for a second run. */
const fetches = new Map<string, Promise<boolean>>()

function fetchOnce(file: string): Promise<boolean> {
  const found = fetches.get(file) ?? fetchIntoCache(file)
  fetches.set(file, found)
  return found
}

/** Into the browser's cache, from which code is imported later. A preload of modules would compile them at once. */
async function fetchIntoCache(file: string): Promise<boolean> {
  try {
    const response = await fetch(`/${file}`, { priority: 'low' })
    await response.arrayBuffer()
    if (response.ok) return true
  } catch {
    // The connection is lost; the next run tries again.
  }
  fetches.delete(file)
  return false
}

/** Waits until the browser is idle, or for a fixed time in Safari, which has no `requestIdleCallback`. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 2000 })
    else setTimeout(resolve, 200)
  })
}
