import Print from '@mui/icons-material/Print'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import GlobalStyles from '@mui/material/GlobalStyles'
import { useId } from 'react'
import { AnswerSections } from './AnswerSections.tsx'
import { PrintedBy } from './PrintedBy.tsx'
import type { Answers } from './wizard-step.ts'

// Prints the dialog instead of the page.
const onPaper = (
  <GlobalStyles
    styles={{
      '@media print': {
        '#root': { display: 'none' },
        '.MuiDialog-root, .MuiDialog-container, .MuiDialog-paper, .MuiDialogContent-root': {
          position: 'static !important',
          display: 'block !important',
          maxHeight: 'none !important',
          overflow: 'visible !important',
          border: '0 !important',
        },
        '.MuiBackdrop-root, .MuiDialogActions-root': { display: 'none !important' },
      },
    }}
  />
)

interface Props {
  answers: Answers
  /** The long date on which it was sent. */
  sentOn: string
  onClose: () => void
}

/** The sent answers, for reading and printing. */
export function SentIntakeDialog({ answers, sentOn, onClose }: Props) {
  const title = useId()
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby={title}>
      {onPaper}
      <DialogTitle id={title}>Your intake, sent on {sentOn}</DialogTitle>
      <DialogContent tabIndex={0}>
        <PrintedBy />
        <AnswerSections answers={answers} level="h3" />
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Close
        </Button>
        <Button startIcon={<Print aria-hidden />} onClick={() => print()}>
          Print
        </Button>
      </DialogActions>
    </Dialog>
  )
}
