import type { ReactNode } from 'react'
import { Notice } from '../../ui/Notice.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import css from './IdPreview.module.css'

const Frame = withClass('div', css['frame'])

interface Props {
  /** While it is looked up. */
  loading: string | false | undefined
  /** What was found, read aloud at once. */
  spoken: string | undefined
  problem: string | undefined
  hint?: string | undefined
  /** What was found. */
  children: ReactNode
}

/** What a typed id stands for, before it is saved. */
export function IdPreview({ loading, spoken, problem, hint, children }: Props) {
  return (
    <Frame>
      {loading && (
        <Typography variant="body2" color="textSecondary">
          {loading}
        </Typography>
      )}
      {children}
      <VisuallyHidden as="output">{spoken}</VisuallyHidden>
      <Notice kind="error">{problem}</Notice>
      <Notice kind="info">{hint}</Notice>
    </Frame>
  )
}
