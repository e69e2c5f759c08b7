import type { IntakeStep } from '@guidon/contract/intake'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { sectionsOf } from './steps.ts'
import type { Answers } from './wizard-step.ts'

const Card = styled(Paper)(({ theme: { breakpoints } }) => ({
  padding: '16px 20px 20px',
  '& + &': { marginTop: 16 },
  [breakpoints.up('md')]: { padding: '20px 32px 24px' },
  // Close together, so that all answers fit one sheet.
  '@media print': { padding: 0, border: 0, breakInside: 'avoid', '& + &': { marginTop: 10 } },
}))

const SectionHeader = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '0 16px',
  minHeight: 44,
  '@media print': { minHeight: 0 },
})

const ChangeLinks = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '0 20px',
  '& > button': { minHeight: 44 },
  '@media print': { display: 'none' },
})

const Rows = styled('dl')(({ theme: { vars, breakpoints } }) => ({
  margin: '4px 0 0',
  '& > div': { padding: '6px 0' },
  '& dt': { color: vars.palette.text.secondary, fontSize: '0.9rem' },
  '& dd': { margin: 0, fontWeight: 600, overflowWrap: 'anywhere' },
  [breakpoints.up('sm')]: {
    '& > div': { display: 'grid', gridTemplateColumns: '14rem minmax(0, 1fr)', gap: 16 },
    '& dt': { fontSize: '1rem' },
  },
  '@media print': { marginTop: 0, '& > div': { padding: '1px 0' } },
}))

interface Props {
  answers: Answers
  level: 'h2' | 'h3'
  /** Opens a step to change its answers; absent if the answers cannot change. */
  onEditStep?: (step: IntakeStep) => void
}

/** Shows all answers, grouped by section. */
export function AnswerSections({ answers, level, onEditStep }: Props) {
  return sectionsOf(answers).map(({ heading, steps, rows }) => (
    <Card key={heading} variant="outlined">
      <SectionHeader>
        <Typography variant="h2" component={level}>
          {heading}
        </Typography>
        {onEditStep && (
          <ChangeLinks>
            {steps.map(({ name, title }) => (
              <Link
                key={name}
                component="button"
                type="button"
                aria-label={`Change ${title}`}
                onClick={() => onEditStep(name)}
              >
                {steps.length === 1 ? 'Change' : `Change ${title}`}
              </Link>
            ))}
          </ChangeLinks>
        )}
      </SectionHeader>
      <Rows>
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </Rows>
    </Card>
  ))
}
