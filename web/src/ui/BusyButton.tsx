import type { MouseEvent } from 'react'
import { Button, type ButtonProps } from './Button.tsx'
import { CircularProgress } from './CircularProgress.tsx'

/** Stays focusable while busy: a focused button that becomes disabled loses the focus. */
export function BusyButton({ busy, onClick, ...button }: ButtonProps & { busy: boolean }) {
  function press(event: MouseEvent<HTMLButtonElement>): void {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <Button
      {...button}
      onClick={press}
      aria-busy={busy}
      aria-disabled={busy}
      {...(busy && {
        startIcon: <CircularProgress inherit size="1.1rem" thickness={5} />,
      })}
    />
  )
}
