import { CODE_RESENT } from '@guidon/contract/auth'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { minutesAndSeconds } from '../../ui/countdown.ts'
import { Notice } from '../../ui/Notice.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { failureText } from './failure-text.ts'
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

const Resend = styled(Link)(({ theme: { vars } }) => ({
  minHeight: 44,
  verticalAlign: 'baseline',
  '&[aria-disabled=true]': {
    color: vars.palette.text.secondary,
    fontWeight: 400,
    textDecoration: 'none',
    cursor: 'default',
  },
})) as typeof Link

export function ResendCode({ pending }: { pending: PendingVerification }) {
  const { secondsLeft, resend, busy, sent, failure } = useResendCode(pending)
  const waiting = secondsLeft > 0
  const idle = waiting || busy
  return (
    <>
      <Line>
        <span>Didn’t get a code?</span>
        <span>
          {/* Stays while waiting: a button that disappears loses the focus. */}
          <Resend
            component="button"
            type="button"
            aria-disabled={idle}
            onClick={idle ? undefined : resend}
          >
            Resend code
          </Resend>
          {waiting && (
            <Typography component="span" variant="body2" color="textSecondary">
              {' '}
              in <time>{minutesAndSeconds(secondsLeft)}</time>
            </Typography>
          )}
        </span>
      </Line>
      <VisuallyHidden as="output">{!waiting && 'Resend available'}</VisuallyHidden>
      <Notice kind="success">{sent && CODE_RESENT}</Notice>
      <Notice kind="error">{failureText(failure)}</Notice>
    </>
  )
}
