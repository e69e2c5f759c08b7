import { withdrawConsent, type AskedConsent, type GivenConsent } from '@guidon/contract/consents'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { ConsentStatement } from '../../ui/ConsentStatement.tsx'
import { localDateTime } from '../../ui/dates.ts'
import { failureText } from '../../ui/failure-text.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import { consentsQuery } from './consents-query.ts'
import { useAccept } from './use-accept.ts'
import css from './Agreements.module.css'

const List = withClass('ul', css['list'])

const Change = withClass('div', css['change'])

const skeleton = [1, 2].map((line) => <Skeleton key={line} height="4.2rem" />)

const note = (
  <>
    What you agreed to, newest first. To withdraw your agreement to the terms or the privacy policy,
    call <ProviderPhoneLink />.
  </>
)

/** What happened last to a consent. */
function whenText({ acceptedAt, withdrawnAt, replacedAt }: GivenConsent): string {
  const accepted = `Accepted ${localDateTime(acceptedAt)}`
  if (withdrawnAt !== null) return `${accepted}. Withdrawn ${localDateTime(withdrawnAt)}`
  if (replacedAt !== null) return `${accepted}. Replaced ${localDateTime(replacedAt)}`
  return accepted
}

export function Agreements() {
  const heading = useRef<HTMLHeadingElement>(null)
  const result = useQuery(consentsQuery)
  const [change, setChange] = useState('')
  function onChanged(text: string): void {
    setChange(text)
    // The button that was pressed disappears.
    heading.current?.focus()
  }
  return (
    <PageSection title="Your agreements" note={note} headingRef={heading}>
      <Change>
        <Notice kind="success">{change}</Notice>
      </Change>
      <Paper className={css['paper']}>
        <Loaded result={result} contentName="your agreements" skeleton={skeleton}>
          {({ given, optional }) => (
            <List>
              {optional.map((consent) => (
                <Offered key={consent.hash} consent={consent} onChanged={onChanged} />
              ))}
              {given.map((consent) => (
                <Given key={consent.id} consent={consent} onChanged={onChanged} />
              ))}
              {given.length === 0 && <li>No agreement is recorded in the portal.</li>}
            </List>
          )}
        </Loaded>
      </Paper>
    </PageSection>
  )
}

type OnChanged = (text: string) => void

function Offered({ consent, onChanged }: { consent: AskedConsent; onChanged: OnChanged }) {
  const { accept, busy, failure } = useAccept(() => onChanged(`You agreed to ${consent.title}.`))
  return (
    <li>
      <h3>{consent.title}</h3>
      <p>
        <ConsentStatement {...consent} />
      </p>
      <small>You have not agreed to this. You do not have to.</small>
      <Notice kind="error">{failureText(failure)}</Notice>
      <BusyButton variant="outlined" busy={busy} onClick={() => accept([consent])}>
        Agree <VisuallyHidden>to {consent.title}</VisuallyHidden>
      </BusyButton>
    </li>
  )
}

function Given({ consent, onChanged }: { consent: GivenConsent; onChanged: OnChanged }) {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(withdrawConsent, { params: { kind: consent.kind } }),
    onSuccess: () => {
      onChanged(`You withdrew your agreement to ${consent.title}.`)
      return queryClient.invalidateQueries(consentsQuery)
    },
    // It may be saved, although the response was lost.
    onError: () => queryClient.invalidateQueries(consentsQuery),
  })
  return (
    <li>
      <h3>
        {consent.title}, version {consent.version}
      </h3>
      <small>{whenText(consent)}</small>
      <details>
        <summary>
          Read the text <VisuallyHidden>of {consent.title}</VisuallyHidden>
        </summary>
        <p>{consent.shown}</p>
      </details>
      <Notice kind="error">{consent.mayWithdraw && failureText(error)}</Notice>
      {consent.mayWithdraw && (
        <BusyButton variant="outlined" busy={isPending} onClick={() => mutate()}>
          Withdraw <VisuallyHidden>your agreement to {consent.title}</VisuallyHidden>
        </BusyButton>
      )}
    </li>
  )
}
