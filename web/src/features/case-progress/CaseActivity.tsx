import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { EventCard } from '../../ui/EventCard.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { CASE_ACTIVITY_HASH } from './case-activity-link.ts'
import { caseActivityQuery } from './case-queries.ts'

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
      <EventCard result={result} contentName="the activity of your case" />
    </PageSection>
  )
}
