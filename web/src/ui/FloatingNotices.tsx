import type { ComponentProps } from 'react'
import { classNames } from './with-class.ts'
import css from './FloatingNotices.module.css'

interface Props extends ComponentProps<'div'> {
  /** For pages whose menu is at the bottom of a phone. */
  aboveMenu?: boolean
}

/** Places notices above the lower edge of the screen. Clicks beside a notice reach the page. */
export function FloatingNotices({ aboveMenu = false, className, ...props }: Props) {
  return (
    <div
      {...props}
      className={classNames(css['notices'], className)}
      data-above-menu={aboveMenu || undefined}
    />
  )
}
