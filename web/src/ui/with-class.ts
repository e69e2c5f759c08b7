import { createElement, type ComponentProps, type ElementType } from 'react'

/** Joins class names, and leaves out those that are absent. */
export const classNames = (...names: (string | false | undefined)[]) =>
  names.filter(Boolean).join(' ')

/** An element or component with a class of a style sheet. `as` replaces the element. */
export function withClass<Tag extends ElementType>(tag: Tag, name: string | undefined) {
  return function Styled({
    as = tag,
    className,
    ...props
  }: ComponentProps<Tag> & { as?: ElementType; className?: string | undefined }) {
    return createElement(as, { ...props, className: classNames(name, className) })
  }
}
