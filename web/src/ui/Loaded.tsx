import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useRef, type ReactNode } from 'react'
import { Notice } from './Notice.tsx'
import { VisuallyHidden } from './VisuallyHidden.ts'

const Place = styled('div')({ '&:focus': { outline: 'none' } })

interface Result<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

interface Props<Data> {
  result: Result<Data>
  /** Names it in its own Try again button and while it loads: `appointments`. */
  what: string
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** A part of a screen that loads, fails and is tried again by itself. What was loaded once stays. */
export function Loaded<Data>({ result, what, skeleton, children }: Props<Data>) {
  const place = useRef<HTMLDivElement>(null)
  const { data, error, refetch } = result
  const failed = data === undefined && error !== null

  function tryAgain(): void {
    // The button is about to go; focus stays where the answer will be.
    place.current?.focus()
    refetch()
  }

  return (
    <Place ref={place} tabIndex={-1} aria-busy={data === undefined && !failed}>
      <Notice kind="error">
        {failed && (
          <>
            <p>{error.message}</p>
            <Button variant="outlined" onClick={tryAgain} sx={{ mt: 1.5 }}>
              Try again <VisuallyHidden>to load {what}</VisuallyHidden>
            </Button>
          </>
        )}
      </Notice>
      {data === undefined && !failed && (
        <>
          <VisuallyHidden>Loading {what}…</VisuallyHidden>
          <div aria-hidden>{skeleton}</div>
        </>
      )}
      {data !== undefined && children(data)}
    </Place>
  )
}
