import Button from '@mui/material/Button'
import { Component, Suspense, type ComponentType, type ReactNode } from 'react'
import { FloatingNotices } from './FloatingNotices.tsx'
import { forgetLoadFailures, LoadFailure } from './lazy-code.ts'
import { lazyComponent } from './lazy-component.ts'
import { Notice } from './Notice.tsx'

const parts = new Set<() => Promise<unknown>>()

/** The code of all parts of the screens, to fetch it ahead. A fetched part adds its own parts at the end. */
export const codeOfParts = () => parts.values()

/** Adds code that is not a part to `codeOfParts`, so that it is fetched ahead too. */
export const loadWithParts = (load: () => Promise<unknown>) => void parts.add(load)

/** A part of a screen, such as a dialog. Without its code, the rest of the screen stays usable. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part = lazyComponent(load)
  loadWithParts(Part.load)
  return function LazyPart(props: Props) {
    return (
      <PartBoundary>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </PartBoundary>
    )
  }
}

class PartBoundary extends Component<{ children: ReactNode }, { failure: Error | undefined }> {
  override state: { failure: Error | undefined } = { failure: undefined }
  readonly #retry = () => this.setState({ failure: undefined })

  static getDerivedStateFromError(failure: Error) {
    return { failure }
  }

  override componentDidCatch(): void {
    forgetLoadFailures()
    addEventListener('online', this.#retry, { once: true })
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.#retry)
  }

  override render() {
    const { failure } = this.state
    if (!failure) return this.props.children
    if (!(failure instanceof LoadFailure)) throw failure
    return (
      <FloatingNotices aboveMenu>
        <Notice kind="error">
          <p>
            {failure.offline
              ? 'You are offline. This part of the page will open once you are connected.'
              : 'This part of the page could not be loaded. The portal may have been updated.'}
          </p>
          {failure.offline ? (
            <Button onClick={this.#retry}>Try again</Button>
          ) : (
            <Button onClick={() => location.reload()}>Reload</Button>
          )}
        </Notice>
      </FloatingNotices>
    )
  }
}
