import PhonelinkOff from '@mui/icons-material/PhonelinkOff'
import { CallFailure } from '../../api/call-failure.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { MessagePage } from '../../ui/MessagePage.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'

interface Props {
  error: Error
  busy?: boolean
  onRetry?: () => void
}

export function PhoneProblemPage({ error, busy = false, onRetry }: Props) {
  // Another attempt cannot change a refusal.
  const isRefusal = error instanceof CallFailure && error.status >= 400 && error.status < 500
  return (
    <MessagePage icon={<PhonelinkOff aria-hidden />}>
      <PageHeading title="Phone not connected" failed>
        Your phone is not connected
      </PageHeading>
      <p>{error.message}</p>
      {!isRefusal && onRetry && (
        <BusyButton busy={busy} onClick={onRetry}>
          Try again
        </BusyButton>
      )}
    </MessagePage>
  )
}
