import { Component, Suspense, type ComponentType, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { FloatingNotices } from './FloatingNotices.tsx'
import { forgetLoadFailures, LoadFailure } from './lazy-code.ts'
import { lazyComponent, type LazyComponent } from './lazy-component.ts'
import { Notice } from './Notice.tsx'

/** A part of a screen, such as a dialog. Without its code, the rest of the screen stays usable. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  /** For a part that takes the place of what had the focus, so that it is not lost meanwhile. */
  whileLoading?: ReactNode,
): LazyComponent<Props> {
  const Part = lazyComponent(load)
  function LazyPart(props: Props) {
    return (
      <PartBoundary>
        <Suspense fallback={whileLoading}>
          <Part {...props} />
        </Suspense>
      </PartBoundary>
    )
  }
  return Object.assign(LazyPart, { load: Part.load })
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
