import { useEffect, useRef } from 'react'
import { Notice } from '../ui/Notice.tsx'
import { withClass } from '../ui/with-class.ts'
import css from './LogOutFailure.module.css'

const Place = withClass('div', css['place'])

/** Takes the focus, which scrolls it into view: the Log out button may be far away from it. */
export function LogOutFailure({ error }: { error: Error | null }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) place.current?.focus()
  }, [error])
  return (
    <Place ref={place} tabIndex={-1}>
      <Notice kind="error">
        {error && (
          <>
            {error.message} <span>You are still signed in.</span>
          </>
        )}
      </Notice>
    </Place>
  )
}
