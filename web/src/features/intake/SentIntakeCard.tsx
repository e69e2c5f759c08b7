import { intakeSubmitted, type IntakeAnswers } from '@guidon/contract/intake'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { longDate } from '../../ui/dates.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { intakeQuery, LATE_ANSWERS } from './intake-query.ts'

// Lazy, because it contains all the questions, which the dashboard does not need otherwise.
const SentIntakeDialog = lazyPart(
  async () => (await import('./SentIntakeDialog.tsx')).SentIntakeDialog,
)

const Card = styled(Paper)(({ theme: { vars } }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '12px 24px',
  padding: '20px 24px',
  backgroundColor: vars.palette.tint.faint,
  '& > div': { flex: '1 1 16rem' },
}))

const Frame = styled('div')({ marginTop: 24 })

/** Shows that the intake was received. An unfinished one is in the to-do list. */
export function SentIntakeCard() {
  const result = useQuery(intakeQuery)
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
    <Card variant="outlined">
      <div>
        We received your intake on {sentOn}.
        {tooLate && (
          <Typography component="output" sx={{ display: 'block', mt: 0.5 }}>
            {intakeSubmitted.message}
          </Typography>
        )}
      </div>
      <Button variant="outlined" onClick={() => setShown(true)} sx={{ whiteSpace: 'normal' }}>
        Print or save what you sent
      </Button>
      {shown && (
        <SentIntakeDialog answers={answers} sentOn={sentOn} onClose={() => setShown(false)} />
      )}
    </Card>
  )
}
