import { useSectionQuery } from '../../api/use-section-query.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { introText } from './case-manager-details.ts'
import { caseManagerQuery } from './case-manager-query.ts'

/** Says whether a case manager is assigned. */
export function CaseManagerIntro() {
  const { data, isPending } = useSectionQuery(caseManagerQuery)
  if (isPending) {
    return (
      <div aria-hidden>
        <Skeleton />
        <Skeleton width="70%" />
      </div>
    )
  }
  return introText(data?.caseManager)
}
