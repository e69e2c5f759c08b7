import { createElement, type ComponentProps, type ElementType, type ReactNode } from 'react'
import { classNames } from './with-class.ts'
import css from './Button.module.css'

interface OwnProps {
  variant?: 'contained' | 'outlined' | 'text'
  fullWidth?: boolean
  startIcon?: ReactNode
  endIcon?: ReactNode
}

export type ButtonProps = ComponentProps<'button'> & OwnProps

/** `component` replaces the element, for example by a link. */
export function Button<Tag extends ElementType = 'button'>({
  component,
  variant = 'contained',
  fullWidth = false,
  startIcon,
  endIcon,
  className,
  children,
  ...props
}: ComponentProps<Tag> & OwnProps & { component?: Tag }) {
  return createElement(
    component ?? 'button',
    {
      ...(component === undefined && { type: 'button' }),
      ...props,
      className: classNames(css['button'], className),
      'data-variant': variant,
      'data-wide': fullWidth || undefined,
    },
    startIcon && <span className={css['startIcon']}>{startIcon}</span>,
    children,
    endIcon && <span className={css['endIcon']}>{endIcon}</span>,
  )
}
