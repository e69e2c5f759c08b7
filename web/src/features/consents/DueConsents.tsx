import type { AskedConsent } from '@guidon/contract/consents'
import { useRef, useState, type SubmitEvent } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { CheckboxField } from '../../ui/CheckboxField.tsx'
import { ConsentStatement } from '../../ui/ConsentStatement.tsx'
import { failureText } from '../../ui/failure-text.ts'
import { FormStack } from '../../ui/FormStack.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { useAccept } from './use-accept.ts'
import css from './DueConsents.module.css'

const NOT_TICKED = 'Please tick this box to go on'

export function DueConsents({ due }: { due: readonly AskedConsent[] }) {
  const form = useRef<HTMLFormElement>(null)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [submitted, setSubmitted] = useState(false)
  const { accept, busy, failure } = useAccept()
  const missing = due.filter(({ hash }) => !ticked.has(hash))

  function tick(hash: string, on: boolean): void {
    const others = [...ticked].filter((other) => other !== hash)
    setTicked(new Set(on ? [...others, hash] : others))
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setSubmitted(true)
    if (missing.length === 0) return accept(due)
    form.current?.querySelector<HTMLInputElement>('input:not(:checked)')?.focus()
  }

  return (
    <>
      <PageHeading
        title="Updated Terms"
        failed={failure !== null || (submitted && missing.length > 0)}
      >
        Our terms have changed
      </PageHeading>
      <Typography color="textSecondary" className={css['introduction']}>
        We changed these texts or added them since you last agreed. Please read them. We ask you
        once, before you go on.
      </Typography>
      <FormStack ref={form} noValidate onSubmit={submit}>
        {due.map((consent) => (
          <CheckboxField
            key={consent.hash}
            checked={ticked.has(consent.hash)}
            onChange={(event) => tick(consent.hash, event.target.checked)}
            error={submitted && !ticked.has(consent.hash) ? NOT_TICKED : undefined}
          >
            <ConsentStatement {...consent} />{' '}
            <Typography
              component="span"
              variant="body2"
              color="textSecondary"
              className={css['version']}
            >
              Version {consent.version}
              {consent.changes && `. What is different: ${consent.changes}`}
            </Typography>
          </CheckboxField>
        ))}
        <Notice kind="error">{failureText(failure)}</Notice>
        <BusyButton type="submit" busy={busy}>
          Accept and continue
        </BusyButton>
      </FormStack>
      <Typography variant="body2" color="textSecondary" className={css['withoutConsent']}>
        If you do not agree, log out, or call <ProviderPhoneLink />. Your data stays as it is.
      </Typography>
    </>
  )
}
