import { localTime } from '../../ui/dates.ts'
import { Typography } from '../../ui/Typography.tsx'
import type { DraftSync } from './draft-sync.ts'
import type { SaveState } from './save-outcome.ts'
import { useSaveState } from './use-draft-sync.ts'
import css from './SaveStatus.module.css'

function saveText(state: SaveState): string {
  switch (state.kind) {
    case 'untouched':
      return ''
    case 'saving':
      return 'Saving…'
    case 'saved':
      return `Saved ${localTime(new Date(state.at))}`
    case 'unreachable':
      return 'Not sent yet: kept in this tab until you are connected'
    case 'invalid':
      return 'Not saved yet: fix the answer in red'
  }
}

/** Not a live region, so that screen readers do not announce it with every key. */
export function SaveStatus({ draft }: { draft: DraftSync }) {
  return (
    <Typography color="textSecondary" className={css['text']}>
      {saveText(useSaveState(draft))}
    </Typography>
  )
}
