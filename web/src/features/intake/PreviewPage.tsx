import type { IntakeStep } from '@guidon/contract/intake'
import { answeredQuestions, QUESTIONS } from '@guidon/contract/intake-questions'
import Add from '@mui/icons-material/Add'
import Print from '@mui/icons-material/Print'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { AnswerSections } from './AnswerSections.tsx'
import { PrintedBy } from './PrintedBy.tsx'
import { previewStep } from './steps.ts'
import type { Answers } from './wizard-step.ts'

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

const Actions = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 12,
  marginBottom: 20,
  '@media print': { display: 'none' },
})

export function PreviewPage(props: Props) {
  const { pageTitle, answers, onEditStep, onAddAnswers, onSubmit, children } = props
  const total = QUESTIONS.length
  const answered = answeredQuestions(answers)
  return (
    <>
      <PageHeading title={pageTitle}>{previewStep.heading}</PageHeading>
      <Box sx={{ mt: 1, mb: 2, '@media print': { display: 'none' } }}>
        <Typography sx={{ fontWeight: 700 }}>
          You answered {answered === total ? 'all' : `${answered} of`} {total} questions.
        </Typography>
        <Typography color="textSecondary">
          Please check your answers. Nothing is final until you press Submit.
        </Typography>
      </Box>
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
