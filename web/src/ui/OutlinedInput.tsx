import { createElement, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { classNames } from './with-class.ts'
import css from './OutlinedInput.module.css'

export interface OutlinedInputProps extends ComponentProps<'input'> {
  error?: boolean
  startAdornment?: ReactNode
  endAdornment?: ReactNode
  /** A field that grows from two to six lines. */
  multiline?: boolean
}

/** A click on the frame, beside the input, focuses the input. */
function focusInput({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if (target === currentTarget) currentTarget.querySelector<HTMLElement>('input, textarea')?.focus()
}

/** An input in its frame, with a part before and after it. `className` is for the frame. */
export function OutlinedInput({
  error = false,
  startAdornment,
  endAdornment,
  className,
  multiline = false,
  type = 'text',
  ...input
}: OutlinedInputProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- only a larger area to press
    <div
      className={classNames(css['frame'], className)}
      data-part="input"
      data-invalid={error || undefined}
      data-start={startAdornment ? true : undefined}
      data-end={endAdornment ? true : undefined}
      data-lines={multiline || undefined}
      onClick={focusInput}
    >
      {startAdornment}
      {createElement(multiline ? 'textarea' : 'input', {
        ...input,
        ...(multiline ? { rows: 2 } : { type }),
        className: css['input'],
        'aria-invalid': error,
      })}
      {endAdornment}
    </div>
  )
}
