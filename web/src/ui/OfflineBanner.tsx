import { useSyncExternalStore } from 'react'
import { withClass } from './with-class.ts'
import css from './OfflineBanner.module.css'

const Strip = withClass('span', css['strip'])

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <output>
      {!online && (
        <Strip>
          You are offline. What you have typed is kept; try again once you are connected.
        </Strip>
      )}
    </output>
  )
}
