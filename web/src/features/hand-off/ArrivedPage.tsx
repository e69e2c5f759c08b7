import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import { MessagePage } from '../../ui/MessagePage.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'

export function ArrivedPage() {
  return (
    <MessagePage icon={<CheckCircle aria-hidden />}>
      <PageHeading title="It arrived">It arrived.</PageHeading>
      <p>We have your document. You can close this page.</p>
    </MessagePage>
  )
}
