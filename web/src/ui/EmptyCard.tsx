import type { ReactNode } from 'react'
import { Paper } from './Paper.tsx'
import { withClass } from './with-class.ts'
import css from './EmptyCard.module.css'

const Card = withClass(Paper, css['card'])

/** Shown in place of an empty list. */
export function EmptyCard({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Card>
      {icon}
      <p>{children}</p>
    </Card>
  )
}
