import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { introText } from './case-manager-details.ts'
import { caseManagerQuery } from './case-manager-query.ts'

/** Says whether a case manager is assigned. */
export function CaseManagerIntro() {
  const { data, isPending } = useQuery(caseManagerQuery)
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
