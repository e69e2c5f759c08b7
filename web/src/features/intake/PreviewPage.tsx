import type { IntakeStep } from '@guidon/contract/intake'
import { answeredQuestions, QUESTIONS } from '@guidon/contract/intake-questions'
import Add from '@mui/icons-material/Add'
import Print from '@mui/icons-material/Print'
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { AnswerSections } from './AnswerSections.tsx'
import { PrintedBy } from './PrintedBy.tsx'
import { previewStep } from './steps.ts'
import type { Answers } from './wizard-step.ts'
import css from './PreviewPage.module.css'

interface Props {
  pageTitle: string
  answers: Answers
  onEditStep: (step: IntakeStep) => void
  /** Opens the first step with an unanswered question. */
  onAddAnswers: () => void
  onSubmit: () => void
  /** The buttons Back and Submit. */
  children: ReactNode
}

const Actions = withClass('div', css['actions'])

export function PreviewPage(props: Props) {
  const { pageTitle, answers, onEditStep, onAddAnswers, onSubmit, children } = props
  const total = QUESTIONS.length
  const answered = answeredQuestions(answers)
  return (
    <>
      <PageHeading title={pageTitle}>{previewStep.heading}</PageHeading>
      <div className={css['box']}>
        <Typography className={css['text']}>
          You answered {answered === total ? 'all' : `${answered} of`} {total} questions.
        </Typography>
        <Typography color="textSecondary">
          Please check your answers. Nothing is final until you press Submit.
        </Typography>
      </div>
      <Actions>
        {answered < total && (
          <Button variant="outlined" startIcon={<Add aria-hidden />} onClick={onAddAnswers}>
            Add answers
          </Button>
        )}
        <Button variant="outlined" startIcon={<Print aria-hidden />} onClick={() => print()}>
          Print
        </Button>
      </Actions>
      <PrintedBy />
      <AnswerSections answers={answers} level="h2" onEditStep={onEditStep} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
      </form>
    </>
  )
}
