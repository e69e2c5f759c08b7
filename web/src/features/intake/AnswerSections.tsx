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
  '@media print': { padding: '4px 0', border: 0, breakInside: 'avoid' },
}))

const Top = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '0 16px',
  minHeight: 44,
})

const Changes = styled('div')({
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
}))

interface Props {
  answers: Answers
  level: 'h2' | 'h3'
  /** Opens the step of an answer; absent where nothing can be changed. */
  onChange?: (step: IntakeStep) => void
}

/** All answers, by section. */
export function AnswerSections({ answers, level, onChange }: Props) {
  return sectionsOf(answers).map(({ heading, steps, rows }) => (
    <Card key={heading} variant="outlined">
      <Top>
        <Typography variant="h2" component={level}>
          {heading}
        </Typography>
        {onChange && (
          <Changes>
            {steps.map(({ name, title }) => (
              <Link
                key={name}
                component="button"
                type="button"
                aria-label={`Change ${title}`}
                onClick={() => onChange(name)}
              >
                {steps.length === 1 ? 'Change' : `Change ${title}`}
              </Link>
            ))}
          </Changes>
        )}
      </Top>
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
