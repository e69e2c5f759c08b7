import { screens } from '@guidon/contract/screens'
import ExploreOff from '@mui/icons-material/ExploreOffOutlined'
import { Link } from 'react-router'
import { Button } from '../ui/Button.tsx'
import { MessagePage } from '../ui/MessagePage.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'

export function NotFoundPage() {
  return (
    <MessagePage icon={<ExploreOff aria-hidden />}>
      <PageHeading title="Page Not Found">Page Not Found</PageHeading>
      <p>There is no page at this address. It may have moved, or the link may be mistyped.</p>
      <Button component={Link} to={screens.signIn}>
        Go Home
      </Button>
    </MessagePage>
  )
}
