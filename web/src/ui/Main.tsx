import type { ReactNode } from 'react'
import { withClass } from './with-class.ts'
import css from './Main.module.css'

export const MAIN_ID = 'main'

const Landmark = withClass('main', css['landmark'])

/** The target of the skip link. */
export function Main({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <Landmark id={MAIN_ID} tabIndex={-1} {...(className !== undefined && { className })}>
      {children}
    </Landmark>
  )
}
