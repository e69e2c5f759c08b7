import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { ExpandableEventList } from '../../ui/EventList.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { CASE_ACTIVITY_HASH } from './case-activity-link.ts'
import { caseActivityQuery } from './case-queries.ts'

const skeleton = [1, 2, 3].map((line) => <Skeleton key={line} height="3.4rem" />)

/** All that happened to the case, in Settings. */
export function CaseActivity() {
  const result = useQuery(caseActivityQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const { hash } = useLocation()
  // After the heading of the screen, which takes the focus in a layout effect.
  useEffect(() => {
    if (hash === CASE_ACTIVITY_HASH) heading.current?.focus()
  }, [hash])
  return (
    <PageSection
      title="Your case"
      note="What happened to your documents and claims, newest first."
      headingRef={heading}
    >
      <Paper variant="outlined" sx={{ px: { xs: '20px', sm: '24px' }, py: '10px' }}>
        <Loaded result={result} contentName="the activity of your case" skeleton={skeleton}>
          {(events) =>
            events.length === 0 ? (
              <Typography color="textSecondary" sx={{ py: '10px' }}>
                Nothing has happened yet.
              </Typography>
            ) : (
              <ExpandableEventList events={events} />
            )
          }
        </Loaded>
      </Paper>
    </PageSection>
  )
}
