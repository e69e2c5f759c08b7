import { useCallback, useEffect, useState } from 'react'
import { loadStrength, strengthCheck, type StrengthCheck } from './strength.ts'

/** For Safari, which has no `requestIdleCallback`. */
const IDLE_FALLBACK_MS = 1500

function whenIdle(task: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const handle = requestIdleCallback(task)
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(task, IDLE_FALLBACK_MS)
  return () => clearTimeout(timer)
}

/** The strength check once it is loaded; `load` starts that at once. If it fails, only the server decides. */
export function useStrength() {
  const [check, setCheck] = useState<StrengthCheck | undefined>(strengthCheck)

  const load = useCallback(() => {
    loadStrength().then(
      (loaded) => setCheck(() => loaded),
      () => {},
    )
  }, [])
  useEffect(() => whenIdle(load), [load])

  return { check, load }
}
