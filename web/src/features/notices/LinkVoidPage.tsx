import { noticeLinkVoid } from '@guidon/contract/notices'
import { screens } from '@guidon/contract/screens'
import LinkOff from '@mui/icons-material/LinkOff'
import { Link } from 'react-router'
import { Button } from '../../ui/Button.tsx'
import { MessagePage } from '../../ui/MessagePage.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'

export function LinkVoidPage() {
  return (
    <MessagePage icon={<LinkOff aria-hidden />}>
      <PageHeading title="Email notices" failed>
        We could not open your email settings
      </PageHeading>
      <p role="alert">{noticeLinkVoid.message}</p>
      <p>
        If you cannot sign in, call <ProviderPhoneLink />.
      </p>
      <Button component={Link} to={screens.settings}>
        Open Settings
      </Button>
    </MessagePage>
  )
}
