import Print from '@mui/icons-material/Print'
import { useId } from 'react'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent, DialogTitle } from '../../ui/dialog-parts.tsx'
import './SentIntakeDialog.css'
import { Dialog } from '../../ui/Dialog.tsx'
import { AnswerSections } from './AnswerSections.tsx'
import { PrintedBy } from './PrintedBy.tsx'
import type { Answers } from './wizard-step.ts'

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
    <Dialog
      open
      onClose={onClose}
      maxWidth="md"
      fullWidth
      aria-labelledby={title}
      data-part="sent-intake"
    >
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
