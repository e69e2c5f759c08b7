import { useSectionQuery } from '../../api/use-section-query.ts'
import { recentTime } from '../../ui/dates.ts'
import { EventList, EVENTS_SHOWN } from '../../ui/EventList.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { CASE_ACTIVITY_LINK } from './case-activity-link.ts'
import { caseActivityQuery } from './case-queries.ts'
import { OptionalSection } from './OptionalSection.tsx'
import css from './RecentActivity.module.css'

const seeAll = (
  <TextLink to={CASE_ACTIVITY_LINK} standalone>
    See all <VisuallyHidden>activity</VisuallyHidden>
  </TextLink>
)

/** The latest events of the case, on Home. */
export function RecentActivity() {
  const result = useSectionQuery(caseActivityQuery)
  return (
    <OptionalSection
      title="Recent activity"
      result={result}
      contentName="recent activity"
      empty="Nothing has happened yet."
      action={seeAll}
    >
      {(events) => (
        <Paper className={css['paper']}>
          <EventList events={events.slice(0, EVENTS_SHOWN)} timeText={(at) => recentTime(at)} />
        </Paper>
      )}
    </OptionalSection>
  )
}
