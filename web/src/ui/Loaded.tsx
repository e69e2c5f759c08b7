import { useRef, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { failureText } from './failure-text.ts'
import { Notice } from './Notice.tsx'
import { VisuallyHidden } from './VisuallyHidden.ts'
import { withClass } from './with-class.ts'
import css from './Loaded.module.css'

const Region = withClass('div', css['region'])

export interface Result<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

interface Props<Data> {
  result: Result<Data>
  /** Name of the content, such as `appointments`, in the Try again button and while it loads. */
  contentName: string
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** A part of a screen with its own loading state, failure and Try again. Loaded content stays on later failures. */
export function Loaded<Data>({ result, contentName, skeleton, children }: Props<Data>) {
  const region = useRef<HTMLDivElement>(null)
  const { data, error, refetch } = result
  const failed = data === undefined && error !== null

  function tryAgain(): void {
    // The button disappears, so move the focus to the region of the result.
    region.current?.focus()
    refetch()
  }

  return (
    <Region ref={region} tabIndex={-1} aria-busy={data === undefined && !failed}>
      <Notice kind="error">
        {failed && (
          <>
            <p>{failureText(error)}</p>
            <Button variant="outlined" onClick={tryAgain} className={css['button']}>
              Try again <VisuallyHidden>to load {contentName}</VisuallyHidden>
            </Button>
          </>
        )}
      </Notice>
      {data === undefined && !failed && (
        <>
          <VisuallyHidden>Loading {contentName}…</VisuallyHidden>
          <div aria-hidden>{skeleton}</div>
        </>
      )}
      {data !== undefined && children(data)}
    </Region>
  )
}
