import { useEffect } from 'react'

/** The photos are only in the memory of this page. */
export function useAskBeforeLeaving(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [active])
}
