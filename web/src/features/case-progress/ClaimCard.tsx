import type { Claim } from '@guidon/contract/claims'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { movedBackText, neededText, stageFacts } from './claim-texts.ts'
import { ClaimSteps } from './ClaimSteps.tsx'

const Card = styled(Paper)(({ theme: { breakpoints } }) => ({
  padding: 20,
  overflowWrap: 'anywhere',
  [breakpoints.up('sm')]: { padding: '20px 24px 24px' },
})) as typeof Paper

const MovedBack = styled('div')(({ theme: { vars } }) => ({
  marginTop: 20,
  padding: '12px 16px',
  borderRadius: 12,
  fontSize: '0.95rem',
  backgroundColor: vars.palette.tint.faint,
  border: `1px solid ${vars.palette.tone.info.edge}`,
}))

interface Props {
  claim: Claim
  /** How many items the to-do list of the same screen has. */
  todoCount?: number | undefined
}

/** Where a claim stands. */
export function ClaimCard({ claim, todoCount }: Props) {
  const id = useId()
  const { title, stage, closed } = claim
  return (
    <Card variant="outlined" component="article" aria-labelledby={`${id}-title ${id}`}>
      {title && (
        <Typography id={`${id}-title`} variant="body2" color="textSecondary">
          {title}
        </Typography>
      )}
      <Typography id={id} variant="h3" sx={{ fontSize: '1.15rem' }}>
        {closed ? 'This claim is closed' : (stage.sentence ?? stage.label)}
      </Typography>
      {closed ? (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          Last step: {stage.label}
        </Typography>
      ) : (
        <OpenClaim claim={claim} todoCount={todoCount} />
      )}
    </Card>
  )
}

function OpenClaim({ claim, todoCount }: Props) {
  const { nextStep, movedBack, steps } = claim
  const facts = [stageFacts(claim), neededText(claim, todoCount)].filter(Boolean).join(' ')
  return (
    <>
      {facts && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          {facts}
        </Typography>
      )}
      {nextStep && (
        <Typography variant="body2" sx={{ mt: 1 }}>
          <strong>What happens next:</strong> {nextStep}
        </Typography>
      )}
      {steps.length > 0 && <ClaimSteps steps={steps} />}
      {movedBack && (
        <MovedBack>
          <strong>{movedBackText(claim)}</strong> {movedBack.reason}
        </MovedBack>
      )}
    </>
  )
}
