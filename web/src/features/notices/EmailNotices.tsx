import { NOTICES_INTRO } from '@guidon/contract/notice-words'
import Paper from '@mui/material/Paper'
import { PageSection } from '../../ui/PageSection.tsx'
import { NoticeSwitches } from './NoticeSwitches.tsx'
import { ownPreferences } from './preferences.ts'

/** A section of Settings. */
export function EmailNotices() {
  return (
    <PageSection title="Email notices" note={NOTICES_INTRO}>
      <Paper variant="outlined" sx={{ px: { xs: '20px', sm: '24px' }, py: '6px' }}>
        <NoticeSwitches preferences={ownPreferences} />
      </Paper>
    </PageSection>
  )
}
