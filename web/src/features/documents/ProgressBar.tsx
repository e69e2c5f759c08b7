import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'

const Bar = styled(LinearProgress)(({ theme: { vars } }) => ({
  height: 8,
  borderRadius: 4,
  // The library's track is so strong that an empty bar looks full.
  backgroundColor: vars.palette.tint.soft,
}))

interface Props {
  /** From 0 to 1; at 1 the server checks the file. */
  sentFraction: number
  name: string
  describedBy?: string
}

export function ProgressBar({ sentFraction, name, describedBy }: Props) {
  const sent = sentFraction >= 1
  return (
    <Bar
      variant={sent ? 'indeterminate' : 'determinate'}
      {...(!sent && { value: Math.floor(sentFraction * 100) })}
      aria-label={`Upload of ${name}`}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
    />
  )
}
