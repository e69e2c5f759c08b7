import type { IntakeStep } from '@guidon/contract/intake'
import { Link } from '../../ui/Link.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { sectionsOf } from './steps.ts'
import type { Answers } from './wizard-step.ts'
import css from './AnswerSections.module.css'

const Card = withClass(Paper, css['card'])

const SectionHeader = withClass('div', css['sectionHeader'])

const ChangeLinks = withClass('div', css['changeLinks'])

const Rows = withClass('dl', css['rows'])

interface Props {
  answers: Answers
  level: 'h2' | 'h3'
  /** Opens a step to change its answers; absent if the answers cannot change. */
  onEditStep?: (step: IntakeStep) => void
}

/** Shows all answers, grouped by section. */
export function AnswerSections({ answers, level, onEditStep }: Props) {
  return sectionsOf(answers).map(({ heading, steps, rows }) => (
    <Card key={heading}>
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
