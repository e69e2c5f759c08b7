import CloudOff from '@mui/icons-material/CloudOffOutlined'
import { BusyButton } from '../ui/BusyButton.tsx'
import { MessagePage } from '../ui/MessagePage.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { ProviderPhoneLink } from '../ui/ProviderPhoneLink.tsx'

interface Props {
  message: string
  busy: boolean
  onRetry: () => void
}

export function CheckFailedPage({ message, busy, onRetry }: Props) {
  return (
    <MessagePage icon={<CloudOff aria-hidden />}>
      <PageHeading title="Connection problem" failed>
        We could not reach your account
      </PageHeading>
      <div role="alert">{message}</div>
      <p>
        This does not mean that you are signed out. Please try again in a moment, or call{' '}
        <ProviderPhoneLink />.
      </p>
      <BusyButton busy={busy} onClick={onRetry}>
        Try again
      </BusyButton>
    </MessagePage>
  )
}
