import type { IntakeStep } from '@guidon/contract/intake'
import Print from '@mui/icons-material/Print'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { AnswerSections } from './AnswerSections.tsx'
import { previewStep } from './steps.ts'
import type { Answers } from './wizard-step.ts'

interface Props {
  pageTitle: string
  answers: Answers
  onEditStep: (step: IntakeStep) => void
  onSubmit: () => void
  /** The buttons Back and Submit. */
  children: ReactNode
}

export function PreviewPage({ pageTitle, answers, onEditStep, onSubmit, children }: Props) {
  return (
    <>
      <PageHeading title={pageTitle}>{previewStep.heading}</PageHeading>
      <Typography color="textSecondary" sx={{ mt: 1, mb: 2, '@media print': { display: 'none' } }}>
        Please check your answers. Nothing is final until you press Submit.
      </Typography>
      <Box sx={{ mb: 2.5, '@media print': { display: 'none' } }}>
        <Button variant="outlined" startIcon={<Print aria-hidden />} onClick={() => print()}>
          Print
        </Button>
      </Box>
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
