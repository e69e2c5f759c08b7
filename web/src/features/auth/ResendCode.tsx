import { CODE_RESENT } from '@guidon/contract/auth'
import { minutesAndSeconds } from '../../ui/countdown.ts'
import { Link } from '../../ui/Link.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import { failureText } from './failure-text.ts'
import type { PendingVerification } from './pending-verification.ts'
import { useResendCode } from './use-resend-code.ts'
import css from './ResendCode.module.css'

const Line = withClass('div', css['line'])

const Resend = withClass(Link, css['resend']) as typeof Link

export function ResendCode({ pending }: { pending: PendingVerification }) {
  const { secondsLeft, resend, busy, sent, failure } = useResendCode(pending)
  const waiting = secondsLeft > 0
  const disabled = waiting || busy
  return (
    <>
      <Line>
        <span>Didn’t get a code?</span>
        <span>
          {/* Stays while waiting: a button that disappears loses the focus. */}
          <Resend
            component="button"
            type="button"
            aria-disabled={disabled}
            onClick={disabled ? undefined : resend}
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
