import type { IntakeStep } from '@guidon/contract/intake'
import Check from '@mui/icons-material/Check'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import { allSteps, stepProgress } from './steps.ts'
import type { Answers } from './wizard-step.ts'
import css from './StepMenu.module.css'

const List = withClass('ol', css['list'])

const Number = withClass('span', css['number'])

interface Props {
  current: IntakeStep
  answers: Answers
  onGo: (step: IntakeStep) => void
}

/** Links to the current and earlier steps; later ones are plain text. All but the current one show what is answered. */
export function StepMenu({ current, answers, onGo }: Props) {
  const currentIndex = allSteps.findIndex(({ name }) => name === current)
  return (
    <List>
      {allSteps.map(({ name, title }, index) => {
        const isCurrent = index === currentIndex
        const status = isCurrent ? undefined : statusOf(name, answers, index < currentIndex)
        const content = (
          <>
            <Number aria-hidden>{status?.kind === 'done' ? <Check /> : index + 1}</Number>
            <span>
              {title}
              {status?.text && <small>{status.text}</small>}
              {status?.kind === 'done' && <VisuallyHidden> (done)</VisuallyHidden>}
            </span>
          </>
        )
        return (
          <li key={name} data-status={status?.kind}>
            {index > currentIndex ? (
              <span data-part="later">{content}</span>
            ) : (
              <button
                type="button"
                {...(isCurrent && { 'aria-current': 'step' })}
                onClick={() => onGo(name)}
              >
                {content}
              </button>
            )}
          </li>
        )
      })}
    </List>
  )
}

/** `passed`: a later step was opened already. */
function statusOf(name: IntakeStep, answers: Answers, passed: boolean) {
  const progress = stepProgress(name, answers)
  if (!progress) return undefined
  const { answered, total, invalid } = progress
  if (invalid) return { kind: 'invalid', text: 'Fix an answer' }
  if (answered === total) return { kind: 'done' }
  if (answered > 0) return { kind: 'begun', text: `${answered} of ${total}` }
  return passed ? { kind: 'skipped', text: 'Skipped' } : undefined
}
