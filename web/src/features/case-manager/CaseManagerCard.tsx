import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { brand } from '../../ui/brand.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { caseManagerDetails } from './case-manager-details.ts'
import { caseManagerQuery } from './case-manager-query.ts'
import { CaseManagerContact } from './CaseManagerContact.tsx'

const TITLE = 'Your case manager'

const Card = styled(Paper)(({ theme: { breakpoints } }) => ({
  marginTop: 24,
  padding: 20,
  containerType: 'inline-size',
  [breakpoints.up('sm')]: { padding: '20px 24px' },
})) as typeof Paper

const SkeletonRow = styled('div')({ display: 'flex', alignItems: 'center', gap: 16, minHeight: 96 })

const skeleton = (
  <SkeletonRow>
    <Skeleton variant="circular" width="3.3rem" height="3.3rem" />
    <Typography component="div" sx={{ flex: 1 }}>
      <Skeleton width="60%" />
      <Skeleton width="40%" />
    </Typography>
  </SkeletonRow>
)

export function CaseManagerCard() {
  const result = useQuery(caseManagerQuery)
  return (
    <Card variant="outlined" component="section" aria-label={TITLE}>
      <Loaded result={result} contentName="case manager" skeleton={skeleton}>
        {({ caseManager }) => (
          <CaseManagerContact title={TITLE} {...caseManagerDetails(caseManager, brand)} />
        )}
      </Loaded>
    </Card>
  )
}
