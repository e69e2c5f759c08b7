import { CODE_RESENT } from '@guidon/contract/auth'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { minutesAndSeconds } from '../../ui/countdown.ts'
import { Notice } from '../../ui/Notice.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import type { PendingVerification } from './pending-verification.ts'
import { useResendCode } from './use-resend-code.ts'

const Line = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 8,
  minHeight: 44,
  margin: '16px 0 8px',
})

export function ResendCode({ pending }: { pending: PendingVerification }) {
  const { secondsLeft, resend, busy, sent, failure } = useResendCode(pending)
  const waiting = secondsLeft > 0
  return (
    <>
      <Line>
        <span>Didn’t get a code?</span>
        {waiting ? (
          <Typography component="span" variant="body2" color="textSecondary">
            Resend code in <time>{minutesAndSeconds(secondsLeft)}</time>
          </Typography>
        ) : (
          <Link
            component="button"
            type="button"
            aria-disabled={busy}
            onClick={busy ? undefined : resend}
            sx={{ minHeight: 44 }}
          >
            Resend code
          </Link>
        )}
      </Line>
      <VisuallyHidden as="output">{!waiting && 'Resend available'}</VisuallyHidden>
      <Notice kind="success">{sent && CODE_RESENT}</Notice>
      <Notice kind="error">{failure}</Notice>
    </>
  )
}
