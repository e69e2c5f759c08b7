import { CircularProgress } from './CircularProgress.tsx'
import { LoadingText } from './LoadingText.tsx'
import { MessagePage } from './MessagePage.tsx'
import { Typography } from './Typography.tsx'

export function LoadingPage() {
  return (
    <MessagePage icon={<CircularProgress size="2rem" />}>
      <Typography component="h1">
        <LoadingText />
      </Typography>
    </MessagePage>
  )
}
