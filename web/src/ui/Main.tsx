import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

export const MAIN_ID = 'main'

const Landmark = styled('main')({
  flex: 1,
  minWidth: 0,
  '&:focus': { outline: 'none' },
  '& > [role=alert]:not(:empty)': { marginBottom: 20 },
})

/** The target of the skip link. */
export function Main({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <Landmark id={MAIN_ID} tabIndex={-1} {...(className !== undefined && { className })}>
      {children}
    </Landmark>
  )
}
