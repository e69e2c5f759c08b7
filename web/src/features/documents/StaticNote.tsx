import type { ReactNode } from 'react'
import { withClass } from '../../ui/with-class.ts'
import css from './StaticNote.module.css'

const Frame = withClass('div', css['frame'])

interface Props {
  tone: 'info' | 'warning'
  icon: ReactNode
  children: ReactNode
}

/** A permanent note; unlike a notice it is not announced. */
export function StaticNote({ tone, icon, children }: Props) {
  return (
    <Frame data-tone={tone}>
      {icon}
      <div>{children}</div>
    </Frame>
  )
}
