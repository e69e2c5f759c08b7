import { createElement, type ComponentProps, type ElementType } from 'react'
import { classNames } from './with-class.ts'
import css from './Paper.module.css'

/** A card with a border. */
export function Paper<Tag extends ElementType = 'div'>({
  component,
  className,
  ...props
}: ComponentProps<Tag> & { component?: Tag }) {
  return createElement(component ?? 'div', {
    ...props,
    className: classNames(css['paper'], className),
  })
}
