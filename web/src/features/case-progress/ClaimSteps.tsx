import type { ClaimStep } from '@guidon/contract/claims'
import Check from '@mui/icons-material/Check'
import { styled } from '@mui/material/styles'
import { localShortDate } from '../../ui/dates.ts'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'

const MARK = '1.6rem'
const LINE = 3

/** With more steps, their names have no space side by side. */
const MAX_SIDE_BY_SIDE = 7

const Frame = styled('div')({ containerType: 'inline-size' })

/** One below the other, or side by side if there is space. */
const List = styled('ol')(({ theme: { vars } }) => ({
  margin: '20px 0 0',
  padding: 0,
  listStyle: 'none',
  fontSize: '0.9rem',
  lineHeight: 1.4,
  '& > li': {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    gap: '0 16px',
    paddingBottom: 18,
    color: vars.palette.text.secondary,
    overflowWrap: 'anywhere',
  },
  '& > li[aria-current]': { color: vars.palette.text.primary, fontWeight: 700 },
  '& > li > div': { paddingTop: '0.1rem' },
  '& > li:last-of-type': { paddingBottom: 0 },
  // The line to the next step.
  '& > li:not(:last-of-type)::after': {
    content: '""',
    position: 'absolute',
    top: MARK,
    bottom: 0,
    left: `calc(${MARK} / 2 - ${LINE / 2}px)`,
    borderLeft: `${LINE}px solid ${vars.palette.divider}`,
  },
  '& > li[data-state=done]::after': { borderColor: vars.palette.success.main },
  '@container (min-width: 34rem)': {
    '&[data-side-by-side]': {
      display: 'grid',
      gridAutoFlow: 'column',
      gridAutoColumns: 'minmax(0, 1fr)',
      '& > li': {
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: '10px 0',
        alignContent: 'start',
        padding: '0 8px 0 0',
        overflowWrap: 'break-word',
        hyphens: 'auto',
      },
      '& > li:not(:last-of-type)::after': {
        top: `calc(${MARK} / 2 - ${LINE / 2}px)`,
        bottom: 'auto',
        left: MARK,
        right: 0,
        borderLeft: 0,
        borderTopWidth: LINE,
        borderTopStyle: 'solid',
        borderTopColor: vars.palette.divider,
      },
      '& > li[data-state=done]::after': { borderTopColor: vars.palette.success.main },
    },
  },
}))

const Mark = styled('span')(({ theme: { vars } }) => ({
  display: 'grid',
  placeItems: 'center',
  width: MARK,
  height: MARK,
  borderRadius: '50%',
  border: `2px solid ${vars.palette.field}`,
  color: vars.palette.background.paper,
  '& svg': { fontSize: '1.1rem' },
  '[data-state=done] > &': {
    borderColor: vars.palette.success.main,
    backgroundColor: vars.palette.success.main,
  },
  '[data-state=current] > &': { borderWidth: '0.5rem', borderColor: vars.palette.primary.main },
}))

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
