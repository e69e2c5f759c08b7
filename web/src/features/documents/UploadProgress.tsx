import { useId } from 'react'
import { Typography } from '../../ui/Typography.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import { WAIT_TEXTS, type SendProgress } from './upload/sending.ts'
import css from './UploadProgress.module.css'

interface Props {
  /** Undefined while it is queued behind another upload. */
  sent: SendProgress | undefined
  name: string
}

export function UploadProgress({ sent, name }: Props) {
  const id = useId()
  const { sentFraction, wait } = sent ?? { sentFraction: 0, wait: undefined }
  const percent = Math.floor(sentFraction * 100)
  return (
    <div>
      <Typography component="output" variant="body2" className={css['wait']}>
        {wait && WAIT_TEXTS[wait]}
      </Typography>
      <Typography id={id} variant="body2" color="textSecondary" className={css['percent']}>
        {sent === undefined
          ? 'Waiting…'
          : sentFraction >= 1
            ? 'Sent. We are checking the file…'
            : `Uploading… ${percent}%`}
      </Typography>
      <ProgressBar sentFraction={sentFraction} name={name} describedBy={id} />
    </div>
  )
}
