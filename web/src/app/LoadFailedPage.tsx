import CloudOff from '@mui/icons-material/CloudOffOutlined'
import Refresh from '@mui/icons-material/Refresh'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { BusyButton } from '../ui/BusyButton.tsx'
import { Button } from '../ui/Button.tsx'
import { portalResponds } from '../ui/lazy-code.ts'
import { MessagePage } from '../ui/MessagePage.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'

export function LoadFailedPage({ offline, onRetry }: { offline: boolean; onRetry: () => void }) {
  return offline ? <OfflinePage onRetry={onRetry} /> : <UpdatedPage />
}

function OfflinePage({ onRetry }: { onRetry: () => void }) {
  const { mutate, isPending, isError } = useMutation({
    mutationFn: async () => {
      if (!(await portalResponds())) throw new Error('the portal does not respond')
    },
    // A device reports its network a moment before it can be used.
    retry: 2,
    retryDelay: 1000,
    onSuccess: onRetry,
  })
  useEffect(() => {
    const goOn = () => mutate()
    addEventListener('online', goOn)
    return () => removeEventListener('online', goOn)
  }, [mutate])
  return (
    <MessagePage icon={<CloudOff aria-hidden />}>
      <PageHeading title="You are offline" failed>
        You are offline
      </PageHeading>
      <p>This page will open once you are connected. What you saved before is kept.</p>
      <div role="alert">{isError && 'We still cannot reach the portal.'}</div>
      <BusyButton busy={isPending} onClick={() => mutate()}>
        Try again
      </BusyButton>
    </MessagePage>
  )
}

/** After a deploy the files of the old version are gone; a reload fetches the new ones. */
function UpdatedPage() {
  return (
    <MessagePage icon={<Refresh aria-hidden />}>
      <PageHeading title="Reload needed" failed>
        This page could not be loaded
      </PageHeading>
      <p role="alert">The portal may have been updated. Reload the page to go on.</p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </MessagePage>
  )
}
