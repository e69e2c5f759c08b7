import { styled } from '@mui/material/styles'
import { useSyncExternalStore } from 'react'

const Strip = styled('span')(({ theme: { vars } }) => ({
  display: 'block',
  padding: '10px 16px',
  textAlign: 'center',
  fontSize: '0.95rem',
  fontWeight: 600,
  color: vars.palette.text.primary,
  backgroundColor: vars.palette.tone.warning.ground,
  borderBottom: `1px solid ${vars.palette.tone.warning.edge}`,
}))

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
