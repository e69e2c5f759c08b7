import type { IntakeAnswers } from '@guidon/contract/intake'
import { screens } from '@guidon/contract/screens'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useSignedInUser } from '../../api/current-user.ts'
import { longDate } from '../../ui/dates.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { intakeQuery } from './intake-query.ts'
import { readLocalDraft } from './local-draft.ts'

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

const skeleton = (
  <Card variant="outlined">
    <Typography component="div">
      <Skeleton width="40%" />
      <Skeleton width="80%" />
    </Typography>
  </Card>
)

/** Links to an unfinished intake, and shows a sent one. */
export function FinishIntakeCard() {
  const { email } = useSignedInUser()
  const result = useQuery(intakeQuery)
  const { data } = result
  if (data?.linkedToExistingAccount) return null
  const submitted = (data?.submittedAt ?? null) !== null
  // Submitted in this tab and not sent yet; `SendUnsentIntake` shows that.
  if (!submitted && readLocalDraft(sessionStorage, email)?.submit) return null
  return (
    <Loaded result={result} contentName="intake" skeleton={skeleton}>
      {({ submittedAt, data: answers }) =>
        submittedAt === null ? (
          <Unfinished />
        ) : (
          <Received answers={answers} sentOn={longDate(submittedAt)} />
        )
      }
    </Loaded>
  )
}

function Unfinished() {
  return (
    <Card variant="outlined">
      <div>
        <Typography variant="h2">Finish your intake</Typography>
        <Typography sx={{ mt: 0.5 }}>
          Your answers so far are saved. It takes a few minutes, and every question is optional.
        </Typography>
      </div>
      <Button component={Link} to={screens.getStarted}>
        Continue
      </Button>
    </Card>
  )
}

function Received({ answers, sentOn }: { answers: IntakeAnswers; sentOn: string }) {
  const [shown, setShown] = useState(false)
  return (
    <Card variant="outlined">
      <div>We received your intake on {sentOn}.</div>
      <Button variant="outlined" onClick={() => setShown(true)} sx={{ whiteSpace: 'normal' }}>
        Print or save what you sent
      </Button>
      {shown && (
        <SentIntakeDialog answers={answers} sentOn={sentOn} onClose={() => setShown(false)} />
      )}
    </Card>
  )
}
