import Refresh from '@mui/icons-material/Refresh'
import Button from '@mui/material/Button'
import { Component, type ReactNode } from 'react'
import { MessagePage } from '../ui/MessagePage.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'

/** After a deploy the chunks of the old version are gone; a reload fetches the new ones. */
export class LoadFailureBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <MessagePage icon={<Refresh aria-hidden />}>
        <PageHeading title="Reload needed" failed>
          This page could not be loaded
        </PageHeading>
        <p role="alert">The portal may have been updated. Reload the page to go on.</p>
        <Button onClick={() => location.reload()}>Reload</Button>
      </MessagePage>
    )
  }
}
