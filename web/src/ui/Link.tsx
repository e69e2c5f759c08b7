import { createElement, type ComponentProps, type ElementType } from 'react'
import { classNames } from './with-class.ts'
import css from './Link.module.css'

/** A link in the colours of the design. `component` replaces the element, for example by the router's link. */
export function Link<Tag extends ElementType = 'a'>({
  component,
  className,
  ...props
}: ComponentProps<Tag> & { component?: Tag }) {
  return createElement(component ?? 'a', {
    ...props,
    className: classNames(css['link'], className),
  })
}
