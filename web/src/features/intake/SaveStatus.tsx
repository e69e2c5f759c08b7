import Typography from '@mui/material/Typography'
import type { DraftSync } from './draft-sync.ts'
import type { SaveState } from './save-outcome.ts'
import { useSaveState } from './use-draft-sync.ts'

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

function saveText(state: SaveState): string {
  switch (state.kind) {
    case 'untouched':
      return ''
    case 'saving':
      return 'Saving…'
    case 'saved':
      return `Saved ${clock.format(new Date(state.at)).replace(/\s/g, ' ')}`
    case 'unreachable':
      return 'Not sent yet: kept in this tab until you are connected'
    case 'invalid':
      return 'Not saved yet: fix the answer in red'
  }
}

/** Not a live region, so that screen readers do not announce it with every key. */
export function SaveStatus({ draft }: { draft: DraftSync }) {
  return (
    <Typography
      color="textSecondary"
      sx={{
        mt: 2,
        // The longest text has two lines on a phone. At the end of the page, another height would move the
        // button that is being pressed.
        minHeight: { xs: '3.2em', sm: '1.6em' },
        fontSize: '0.95rem',
        lineHeight: 1.6,
        '@media print': { display: 'none' },
      }}
    >
      {saveText(useSaveState(draft))}
    </Typography>
  )
}
