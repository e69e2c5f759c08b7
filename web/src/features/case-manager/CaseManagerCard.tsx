import { useSectionQuery } from '../../api/use-section-query.ts'
import { brand } from '../../ui/brand.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { caseManagerDetails } from './case-manager-details.ts'
import { caseManagerQuery } from './case-manager-query.ts'
import { CaseManagerContact } from './CaseManagerContact.tsx'
import css from './CaseManagerCard.module.css'

const TITLE = 'Your case manager'

const Card = withClass(Paper, css['card']) as typeof Paper

const SkeletonRow = withClass('div', css['skeletonRow'])

const skeleton = (
  <SkeletonRow>
    <Skeleton variant="circular" width="3.3rem" height="3.3rem" />
    <Typography component="div" className={css['text']}>
      <Skeleton width="60%" />
      <Skeleton width="40%" />
    </Typography>
  </SkeletonRow>
)

export function CaseManagerCard() {
  const result = useSectionQuery(caseManagerQuery)
  return (
    <Card component="section" aria-label={TITLE}>
      <Loaded result={result} contentName="case manager" skeleton={skeleton}>
        {({ caseManager }) => (
          <CaseManagerContact title={TITLE} {...caseManagerDetails(caseManager, brand)} />
        )}
      </Loaded>
    </Card>
  )
}
