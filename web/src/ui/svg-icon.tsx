import type { ReactNode } from 'react'
import { classNames } from './with-class.ts'
import css from './svg-icon.module.css'

interface Props {
  className?: string
  fontSize?: 'small'
  /** What a screen reader says. */
  titleAccess?: string
}

/**
 * The build uses it in place of the function of the icon library (`vite.config.ts`), which makes its styles while the
 * page runs.
 */
// oxlint-disable-next-line import/no-default-export -- as in the library
export default function createSvgIcon(paths: ReactNode) {
  return function Icon({ className, fontSize, titleAccess }: Props) {
    return (
      <svg
        className={classNames(css['icon'], className)}
        viewBox="0 0 24 24"
        focusable="false"
        data-size={fontSize}
        {...(titleAccess === undefined ? { 'aria-hidden': true } : { role: 'img' })}
      >
        {paths}
        {titleAccess !== undefined && <title>{titleAccess}</title>}
      </svg>
    )
  }
}
