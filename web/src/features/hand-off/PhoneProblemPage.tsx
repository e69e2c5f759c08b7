import PhonelinkOff from '@mui/icons-material/PhonelinkOff'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { MessagePage } from '../../ui/MessagePage.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { canTryAgain } from './phone-failures.ts'

interface Props {
  error: Error
  busy?: boolean
  onRetry?: () => void
}

export function PhoneProblemPage({ error, busy = false, onRetry }: Props) {
  return (
    <MessagePage icon={<PhonelinkOff aria-hidden />}>
      <PageHeading title="Phone not connected" failed>
        Your phone is not connected
      </PageHeading>
      <p>{error.message}</p>
      {canTryAgain(error) && onRetry && (
        <BusyButton busy={busy} onClick={onRetry}>
          Try again
        </BusyButton>
      )}
    </MessagePage>
  )
}
