import type { IntakeStep } from '@guidon/contract/intake'
import Check from '@mui/icons-material/Check'
import { styled } from '@mui/material/styles'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { allSteps } from './steps.ts'

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
  onGo: (step: IntakeStep) => void
}

/** Links to the current and earlier steps; later ones are plain text. */
export function StepMenu({ current, onGo }: Props) {
  const currentIndex = allSteps.findIndex(({ name }) => name === current)
  return (
    <List>
      {allSteps.map(({ name, title }, index) => (
        <li key={name}>
          {index > currentIndex ? (
            <span className="later">
              <Number aria-hidden>{index + 1}</Number>
              {title}
            </span>
          ) : (
            <button
              type="button"
              {...(index === currentIndex ? { 'aria-current': 'step' } : { className: 'done' })}
              onClick={() => onGo(name)}
            >
              <Number aria-hidden>{index === currentIndex ? index + 1 : <Check />}</Number>
              {title}
              {index < currentIndex && <VisuallyHidden> (done)</VisuallyHidden>}
            </button>
          )}
        </li>
      ))}
    </List>
  )
}
