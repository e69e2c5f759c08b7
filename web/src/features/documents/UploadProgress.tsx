import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { ProgressBar } from './ProgressBar.tsx'

interface Props {
  /** Queued behind another upload. */
  waiting?: boolean
  /** From 0 to 1; at 1 the server checks the file. */
  sentFraction: number
  name: string
}

export function UploadProgress({ waiting = false, sentFraction, name }: Props) {
  const id = useId()
  const percent = Math.floor(sentFraction * 100)
  const sent = sentFraction >= 1
  return (
    <>
      <Typography id={id} variant="body2" color="textSecondary" sx={{ mb: 0.5 }}>
        {waiting ? 'Waiting…' : sent ? 'Sent. We are checking the file…' : `Uploading… ${percent}%`}
      </Typography>
      <ProgressBar sentFraction={sentFraction} name={name} describedBy={id} />
    </>
  )
}
