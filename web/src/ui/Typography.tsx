import { createElement, type ComponentProps, type ElementType } from 'react'
import { classNames } from './with-class.ts'
import css from './Typography.module.css'

type Variant = 'h1' | 'h2' | 'h3' | 'body1' | 'body2' | 'inherit'

type Props<Tag extends ElementType> = Omit<ComponentProps<Tag>, 'color'> & {
  variant?: Variant
  color?: 'textSecondary'
  /** The element; by default that of the variant. */
  component?: Tag
}

/** Text in one of the sizes of the design. */
export function Typography<Tag extends ElementType = 'p'>({
  variant = 'body1',
  color,
  component,
  className,
  ...props
}: Props<Tag>) {
  const isHeading = variant === 'h1' || variant === 'h2' || variant === 'h3'
  return createElement(component ?? (isHeading ? variant : 'p'), {
    ...props,
    className: classNames(css['text'], className),
    'data-variant': variant,
    'data-color': color,
  })
}
