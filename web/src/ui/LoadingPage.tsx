import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import { LoadingText } from './LoadingText.tsx'
import { MessagePage } from './MessagePage.tsx'

export function LoadingPage() {
  return (
    <MessagePage icon={<CircularProgress aria-hidden size="2rem" />}>
      <Typography component="h1">
        <LoadingText />
      </Typography>
    </MessagePage>
  )
}
