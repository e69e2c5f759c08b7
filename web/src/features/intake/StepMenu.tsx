import type { IntakeStep } from '@guidon/contract/intake'
import Check from '@mui/icons-material/Check'
import { styled } from '@mui/material/styles'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { allSteps, stepProgress } from './steps.ts'
import type { Answers } from './wizard-step.ts'

const List = styled('ol')(({ theme: { vars } }) => ({
  display: 'grid',
  gap: 4,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& button, & .later': {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    width: '100%',
    minHeight: 50,
    padding: '8px 12px',
    font: 'inherit',
    textAlign: 'start',
    color: vars.palette.text.primary,
    background: 'none',
    border: 0,
    borderRadius: 12,
  },
  '& .later': { color: vars.palette.text.secondary },
  '& button': { cursor: 'pointer', '&:hover': { backgroundColor: vars.palette.tint.faint } },
  '& small': {
    display: 'block',
    fontSize: '0.85rem',
    lineHeight: 1.3,
    fontWeight: 400,
    color: vars.palette.text.secondary,
  },
  '& .invalid small': { fontWeight: 700, color: vars.palette.error.main },
  '& [aria-current]': { fontWeight: 700, backgroundColor: vars.palette.tint.soft },
}))

const Number = styled('span')(({ theme: { vars } }) => ({
  display: 'grid',
  flex: 'none',
  placeItems: 'center',
  width: '1.65rem',
  height: '1.65rem',
  borderRadius: '50%',
  fontSize: '0.8rem',
  fontWeight: 700,
  border: `1px solid ${vars.palette.field}`,
  '& svg': { fontSize: '1.05rem' },
  '.done &': {
    color: vars.palette.background.paper,
    backgroundColor: vars.palette.success.main,
    borderColor: 'transparent',
  },
  '[aria-current] &': {
    color: vars.palette.primary.contrastText,
    backgroundColor: vars.palette.primary.main,
    borderColor: 'transparent',
  },
}))

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
          <li key={name} className={status?.kind}>
            {index > currentIndex ? (
              <span className="later">{content}</span>
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
