import { maskEmail } from '@guidon/contract/account'
import { noChallenge } from '@guidon/contract/auth'
import { screens } from '@guidon/contract/screens'
import { useId } from 'react'
import { CallFailure } from '../../api/call-failure.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { FormStack } from '../../ui/FormStack.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { CodeEntry, useCodeEntry } from './CodeEntry.tsx'
import { failureText } from './failure-text.ts'
import type { PendingVerification } from './pending-verification.ts'
import { useVerifyCode } from './use-verify-code.ts'
import css from './CodeForm.module.css'

export function CodeForm({ pending }: { pending: PendingVerification }) {
  const sentId = useId()
  const { mutate, isPending, isSuccess, error } = useVerifyCode(pending)
  const { submit, ...entry } = useCodeEntry(error, mutate)
  const tooLate = error instanceof CallFailure && error.code === noChallenge.code

  return (
    <>
      <PageHeading title="Check your email" failed={entry.problem !== undefined || error !== null}>
        Check your email
      </PageHeading>
      <Typography id={sentId} color="textSecondary" className={css['sentTo']}>
        We sent a six-digit code to <strong>{maskEmail(pending.email)}</strong>. It can take a
        minute to arrive. Check your spam folder too.
      </Typography>
      <FormStack noValidate onSubmit={submit}>
        <CodeEntry {...entry} describedBy={sentId} />
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
