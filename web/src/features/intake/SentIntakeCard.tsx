import { intakeSubmitted, type IntakeAnswers } from '@guidon/contract/intake'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSectionQuery } from '../../api/use-section-query.ts'
import { Button } from '../../ui/Button.tsx'
import { longDate } from '../../ui/dates.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { intakeQuery, LATE_ANSWERS } from './intake-query.ts'
import css from './SentIntakeCard.module.css'

// Lazy, because it contains all the questions, which the dashboard does not need otherwise.
const SentIntakeDialog = lazyPart(
  async () => (await import('./SentIntakeDialog.tsx')).SentIntakeDialog,
)

const Card = withClass(Paper, css['card'])

const Frame = withClass('div', css['frame'])

/** Shows that the intake was received. An unfinished one is in the to-do list. */
export function SentIntakeCard() {
  const result = useSectionQuery(intakeQuery)
  const { data, isLoadingError } = result
  // Once it has shown a failure it stays, because the user waits there for the result of Try again.
  const [hasFailed, setHasFailed] = useState(false)
  if (isLoadingError && !hasFailed) setHasFailed(true)
  const isSent = data !== undefined && data.submittedAt !== null && !data.linkedToExistingAccount
  if (!isSent && !hasFailed) return null
  return (
    <Frame>
      <Loaded result={result} contentName="intake" skeleton={null}>
        {({ submittedAt, data: answers }) =>
          isSent && submittedAt !== null ? (
            <Received answers={answers} sentOn={longDate(submittedAt)} />
          ) : (
            <p>There is no intake that you have sent.</p>
          )
        }
      </Loaded>
    </Frame>
  )
}

function Received({ answers, sentOn }: { answers: IntakeAnswers; sentOn: string }) {
  const [shown, setShown] = useState(false)
  const tooLate = useQueryClient().getQueryData(LATE_ANSWERS) === true
  return (
    <Card>
      <div>
        We received your intake on {sentOn}.
        {tooLate && (
          <Typography component="output" className={css['text']}>
            {intakeSubmitted.message}
          </Typography>
        )}
      </div>
      <Button variant="outlined" onClick={() => setShown(true)} className={css['button']}>
        Print or save what you sent
      </Button>
      {shown && (
        <SentIntakeDialog answers={answers} sentOn={sentOn} onClose={() => setShown(false)} />
      )}
    </Card>
  )
}
