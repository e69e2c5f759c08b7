import { signInAgain } from '@guidon/contract/auth'
import { LINK_REASON_MAX } from '@guidon/contract/limits'
import { decideLink, linkGone, type LinkDetails } from '@guidon/contract/links'
import { screens } from '@guidon/contract/screens'
import Lock from '@mui/icons-material/LockOutlined'
import { useEffect, useId, useRef, useState, type ComponentType, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CallLink } from '../../../ui/CallLink.tsx'
import { failureText } from '../../../ui/failure-text.ts'
import { FieldError } from '../../../ui/Field.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Paper } from '../../../ui/Paper.tsx'
import { phoneText } from '../../../ui/phone.ts'
import { TextField } from '../../../ui/TextField.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { withClass } from '../../../ui/with-class.ts'
import { ChoiceCard } from './ChoiceCard.tsx'
import { choicesOf, type Choice } from './link-texts.ts'
import { useDecide } from './use-decide.ts'
import css from './Decision.module.css'

const Choices = withClass('fieldset', css['choices'])

const Actions = withClass('div', css['actions'])

export interface DecisionProps {
  link: LinkDetails
  /** A dialog of another feature, which the app passes in. */
  SignInAgain: ComponentType<{ onClose: () => void; onSignedIn: () => void }>
  onFailed: (failed: boolean) => void
}

const LABELS: Readonly<Record<Choice, string>> = {
  confirm: 'Confirm the link',
  refuse: 'Save the decision',
  later: 'Leave it on the list',
}

const reasonRule = decideLink.body.shape.reason

export function Decision({ link, SignInAgain, onFailed }: DecisionProps) {
  const id = useId()
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [choice, setChoice] = useState<Choice>()
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const { decide, again, cancel, busy, failure } = useDecide(link.id)

  // The contract allows one line only.
  const parsed = reasonRule.safeParse(reason.replaceAll(/\s+/g, ' '))
  const needsReason = choice !== undefined && choice !== 'later'
  const needsSignIn = failure?.code === signInAgain.code
  const reasonProblem = needsReason
    ? ((submitted ? parsed.error?.issues[0]?.message : undefined) ?? failure?.fields['reason'])
    : undefined
  const isMissing = submitted && choice === undefined
  const failed = isMissing || reasonProblem !== undefined || (failure !== null && !needsSignIn)
  useEffect(() => onFailed(failed), [onFailed, failed])

  function submit(event: FormEvent): void {
    event.preventDefault()
    setSubmitted(true)
    if (choice === 'later') void navigate(screens.linksToConfirm)
    else if (choice && parsed.success) decide({ decision: choice, reason: parsed.data })
    else form.current?.querySelector<HTMLElement>(choice ? 'textarea' : 'input')?.focus()
  }

  return (
    <>
      <Paper component="form" ref={form} noValidate onSubmit={submit} className={css['card']}>
        <Choices
          role="radiogroup"
          aria-invalid={isMissing}
          {...(isMissing && { 'aria-describedby': `${id}-missing` })}
        >
          <legend>
            <Typography variant="h2">Your decision</Typography>
          </legend>
          {choicesOf(link).map((words) => (
            <ChoiceCard
              key={words.choice}
              {...words}
              name={id}
              isChosen={choice === words.choice}
              onChoose={setChoice}
            />
          ))}
          {isMissing && <FieldError id={`${id}-missing`}>Please choose one.</FieldError>}
        </Choices>
        {choice === 'later' && link.contact?.phone && (
          <div>
            <CallLink phone={phoneText(link.contact.phone)} />
            <Typography variant="body2" color="textSecondary">
              This is the number of the contact. Do not call the number of the account: it may be a
              stranger’s.
            </Typography>
          </div>
        )}
        {needsReason && (
          <TextField
            label="Why? (kept in the history)"
            multiline
            required
            maxLength={LINK_REASON_MAX}
            readOnly={busy}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            error={reasonProblem}
          />
        )}
        <Notice kind="error">
          {failure && !needsSignIn && !failure.fields['reason'] && (
            <>
              {failureText(failure)}{' '}
              {failure.code === linkGone.code && (
                <TextLink to={screens.linksToConfirm}>Back to Links to confirm</TextLink>
              )}
            </>
          )}
        </Notice>
        <Actions>
          {needsReason && (
            <Typography variant="body2" color="textSecondary" className={css['note']}>
              <Lock aria-hidden />
              You may have to sign in again before this is saved. Your name is kept with it.
            </Typography>
          )}
          <Button component={Link} to={screens.linksToConfirm} variant="outlined">
            Cancel
          </Button>
          <BusyButton type="submit" busy={busy}>
            {LABELS[choice ?? 'refuse']}
          </BusyButton>
        </Actions>
      </Paper>
      {needsSignIn && <SignInAgain onClose={cancel} onSignedIn={again} />}
    </>
  )
}
