import type { ClaimStep } from '@guidon/contract/claims'
import Check from '@mui/icons-material/Check'
import { localShortDate } from '../../ui/dates.ts'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import css from './ClaimSteps.module.css'

/** With more steps, their names have no space side by side. */
const MAX_SIDE_BY_SIDE = 7

const Frame = withClass('div', css['frame'])

/** One below the other, or side by side if there is space. */
const List = withClass('ol', css['list'])

const Mark = withClass('span', css['mark'])

/** Read by screen readers in place of the mark. */
const STATES: Record<ClaimStep['state'], string> = {
  done: 'Done',
  current: 'Current step',
  ahead: 'Still to come',
}

export function ClaimSteps({ steps }: { steps: readonly ClaimStep[] }) {
  return (
    <Frame>
      <List data-side-by-side={steps.length <= MAX_SIDE_BY_SIDE || undefined}>
        {steps.map((step) => (
          <li
            key={step.label}
            data-state={step.state}
            {...(step.state === 'current' && { 'aria-current': 'step' })}
          >
            <Mark aria-hidden>{step.state === 'done' && <Check />}</Mark>
            <div>
              <VisuallyHidden>{STATES[step.state]}: </VisuallyHidden>
              {step.label}
              <StepDate {...step} />
            </div>
          </li>
        ))}
      </List>
    </Frame>
  )
}

function StepDate({ state, enteredAt }: ClaimStep) {
  if (enteredAt === null || state === 'ahead') return null
  return (
    <div>
      {state === 'current' && 'since '}
      <time dateTime={enteredAt}>{localShortDate(enteredAt)}</time>
    </div>
  )
}
