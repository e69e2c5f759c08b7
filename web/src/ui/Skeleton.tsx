import { classNames } from './with-class.ts'
import css from './Skeleton.module.css'

interface Props {
  variant?: 'text' | 'rounded' | 'circular'
  width?: string | number
  height?: string | number
  className?: string | undefined
}

/** In the place of content that is being loaded. */
export function Skeleton({ variant = 'text', width, height, className }: Props) {
  return (
    <span
      className={classNames(css['skeleton'], className)}
      data-variant={variant}
      style={{ width, height }}
    />
  )
}
