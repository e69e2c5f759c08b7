import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'

const Row = styled('div')({ display: 'flex', alignItems: 'center', gap: 16, padding: '16px 20px' })

export function DocumentsSkeleton() {
  return (
    <Paper variant="outlined">
      {[1, 2].map((row) => (
        <Row key={row}>
          <Skeleton variant="rounded" width={44} height={44} />
          <div style={{ flex: 1 }}>
            <Skeleton width="55%" />
            <Skeleton width="35%" />
          </div>
          <Skeleton variant="rounded" width="7.2rem" height={48} />
        </Row>
      ))}
    </Paper>
  )
}
