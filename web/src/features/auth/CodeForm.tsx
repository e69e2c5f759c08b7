import { maskEmail } from '@guidon/contract/account'
import { noChallenge, verificationCode } from '@guidon/contract/auth'
import { screens } from '@guidon/contract/screens'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { CallFailure } from '../../api/call-failure.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { FormStack } from '../../ui/FormStack.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { firstEmptyBox, NO_DIGITS } from './code-digits.ts'
import { CodeBoxes, type CodeBoxesHandle } from './CodeBoxes.tsx'
import { failureText } from './failure-text.ts'
import type { PendingVerification } from './pending-verification.ts'
import { useVerifyCode } from './use-verify-code.ts'
import css from './CodeForm.module.css'

export function CodeForm({ pending }: { pending: PendingVerification }) {
  const id = useId()
  const boxes = useRef<CodeBoxesHandle>(null)
  const [digits, setDigits] = useState(NO_DIGITS)
  const [submitted, setSubmitted] = useState(false)
  const { mutate, isPending, isSuccess, error } = useVerifyCode(pending)

  const parsed = verificationCode.safeParse(digits.join(''))
  const incomplete = submitted && !parsed.success
  const tooLate = error instanceof CallFailure && error.code === noChallenge.code

  // The first box gets the focus, not the heading as on other screens, so that the code can be typed at once.
  useEffect(() => boxes.current?.focus(0), [])
  useEffect(() => {
    if (error) boxes.current?.focus(0)
  }, [error])

  function submit(event: FormEvent): void {
    event.preventDefault()
    setSubmitted(true)
    if (parsed.success) mutate(parsed.data)
    else boxes.current?.focus(firstEmptyBox(digits))
  }

  return (
    <>
      <PageHeading title="Check your email" failed={incomplete || error !== null}>
        Check your email
      </PageHeading>
      <Typography id={`${id}-sent`} color="textSecondary" className={css['sentTo']}>
        We sent a six-digit code to <strong>{maskEmail(pending.email)}</strong>. It can take a
        minute to arrive. Check your spam folder too.
      </Typography>
      <FormStack noValidate onSubmit={submit}>
        <div>
          <CodeBoxes
            ref={boxes}
            digits={digits}
            onChange={setDigits}
            invalid={incomplete || error !== null}
            describedBy={`${id}-sent ${id}-hint ${id}-error`}
          />
          <Typography
            id={`${id}-hint`}
            variant="body2"
            color="textSecondary"
            className={css['pasteHint']}
          >
            You can paste the whole code into any box.
          </Typography>
          {incomplete && (
            <FieldError id={`${id}-error`}>{parsed.error.issues[0]?.message ?? ''}</FieldError>
          )}
        </div>
        <Notice kind="error">
          {error && (
            <>
              {failureText(error)}{' '}
              {tooLate && <TextLink to={screens.signIn}>Sign in again</TextLink>}
            </>
          )}
        </Notice>
        <BusyButton type="submit" busy={isPending || isSuccess} fullWidth>
          Confirm
        </BusyButton>
      </FormStack>
    </>
  )
}
