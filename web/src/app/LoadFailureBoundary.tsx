import { Component, type ReactNode } from 'react'
import { forgetLoadFailures, LoadFailure } from '../ui/lazy-code.ts'
import { LoadFailedPage } from './LoadFailedPage.tsx'

interface State {
  failed: boolean
  offline: boolean
  retried: boolean
}

/** Shows a page instead of a screen whose code could not be fetched. */
export class LoadFailureBoundary extends Component<{ children: ReactNode }, State> {
  override state = { failed: false, offline: false, retried: false }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: true, offline: error instanceof LoadFailure && error.offline }
  }

  override componentDidCatch(): void {
    forgetLoadFailures()
    // The portal responds again, but the browser remembers the failed import until the page is reloaded.
    if (this.state.retried && !this.state.offline) location.reload()
  }

  override render() {
    const { failed, offline } = this.state
    if (!failed) return this.props.children
    const retry = () => this.setState({ failed: false, retried: true })
    return <LoadFailedPage offline={offline} onRetry={retry} />
  }
}
