import { NOTICES_INTRO } from '@guidon/contract/notice-words'
import { PageSection } from '../../ui/PageSection.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { NoticeSwitches } from './NoticeSwitches.tsx'
import { ownPreferences } from './preferences.ts'
import css from './EmailNotices.module.css'

/** A section of Settings. */
export function EmailNotices() {
  return (
    <PageSection title="Email notices" note={NOTICES_INTRO}>
      <Paper className={css['paper']}>
        <NoticeSwitches preferences={ownPreferences} />
      </Paper>
    </PageSection>
  )
}
