import { Paper } from '../../ui/Paper.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { withClass } from '../../ui/with-class.ts'
import css from './DocumentsSkeleton.module.css'

const Row = withClass('div', css['row'])

export function DocumentsSkeleton() {
  return (
    <Paper>
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
