import type { ComponentProps } from 'react'
import { classNames } from './with-class.ts'
import css from './dialog-parts.module.css'

export function DialogTitle({ className, ...props }: ComponentProps<'h2'>) {
  return (
    // oxlint-disable-next-line jsx-a11y/heading-has-content -- the content is in the properties
    <h2 {...props} className={classNames(css['title'], className)} data-part="dialog-title" />
  )
}

export function DialogContent({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div {...props} className={classNames(css['content'], className)} data-part="dialog-content" />
  )
}

export function DialogActions({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div {...props} className={classNames(css['actions'], className)} data-part="dialog-actions" />
  )
}
