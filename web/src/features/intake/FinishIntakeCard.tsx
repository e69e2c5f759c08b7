import { screens } from '@guidon/contract/screens'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useSignedInUser } from '../../api/current-user.ts'
import { longDate } from '../../ui/dates.ts'
import { intakeQuery } from './intake-query.ts'
import { readCopy } from './tab-copy.ts'

// It knows all the questions; the dashboard does not need them for anything else.
const SentIntakeDialog = lazy(async () => ({
  default: (await import('./SentIntakeDialog.tsx')).SentIntakeDialog,
}))

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

/** The way back into an intake that is not finished, and to a copy of one that was sent. */
export function FinishIntakeCard() {
  const { email } = useSignedInUser()
  const { data: intake } = useQuery(intakeQuery)
  const [shown, setShown] = useState(false)
  if (!intake || intake.linkedToExistingAccount) return null

  if (intake.submittedAt !== null) {
    const sentOn = longDate(intake.submittedAt)
    return (
      <Card variant="outlined">
        <div>We received your intake on {sentOn}.</div>
        <Button variant="outlined" onClick={() => setShown(true)} sx={{ whiteSpace: 'normal' }}>
          Print or save what you sent
        </Button>
        {shown && (
          <Suspense>
            <SentIntakeDialog
              answers={intake.data}
              sentOn={sentOn}
              onClose={() => setShown(false)}
            />
          </Suspense>
        )}
      </Card>
    )
  }
  // Finished here and on its way; `SendUnsentIntake` says so.
  if (readCopy(sessionStorage, email)?.submit) return null
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
