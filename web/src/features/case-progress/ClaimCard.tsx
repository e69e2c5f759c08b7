import type { Claim } from '@guidon/contract/claims'
import { useId } from 'react'
import { Paper } from '../../ui/Paper.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { movedBackText, neededText, stageFacts } from './claim-texts.ts'
import { ClaimSteps } from './ClaimSteps.tsx'
import css from './ClaimCard.module.css'

const Card = withClass(Paper, css['card']) as typeof Paper

const MovedBack = withClass('div', css['movedBack'])

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
    <Card component="article" aria-labelledby={`${id}-title ${id}`}>
      {title && (
        <Typography id={`${id}-title`} variant="body2" color="textSecondary">
          {title}
        </Typography>
      )}
      <Typography id={id} variant="h3" className={css['stage']}>
        {closed ? 'This claim is closed' : (stage.sentence ?? stage.label)}
      </Typography>
      {closed ? (
        <Typography variant="body2" color="textSecondary" className={css['lastStep']}>
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
        <Typography variant="body2" color="textSecondary" className={css['facts']}>
          {facts}
        </Typography>
      )}
      {nextStep && (
        <Typography variant="body2" className={css['nextStep']}>
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
