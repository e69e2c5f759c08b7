import Paper from '@mui/material/Paper'
import { useQuery } from '@tanstack/react-query'
import { recentTime } from '../../ui/dates.ts'
import { EventList, EVENTS_SHOWN } from '../../ui/EventList.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { CASE_ACTIVITY_LINK } from './case-activity-link.ts'
import { caseActivityQuery } from './case-queries.ts'
import { OptionalSection } from './OptionalSection.tsx'

const seeAll = (
  <TextLink to={CASE_ACTIVITY_LINK} alone>
    See all <VisuallyHidden>activity</VisuallyHidden>
  </TextLink>
)

/** The latest events of the case, on Home. */
export function RecentActivity() {
  const result = useQuery(caseActivityQuery)
  return (
    <OptionalSection
      title="Recent activity"
      result={result}
      contentName="recent activity"
      empty="Nothing has happened yet."
      action={seeAll}
    >
      {(events) => (
        <Paper variant="outlined" sx={{ px: { xs: '20px', sm: '24px' }, py: '6px' }}>
          <EventList events={events.slice(0, EVENTS_SHOWN)} timeText={(at) => recentTime(at)} />
        </Paper>
      )}
    </OptionalSection>
  )
}
