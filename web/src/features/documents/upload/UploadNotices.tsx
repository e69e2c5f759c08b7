import { FAILED_TO_UPLOAD } from '@guidon/contract/documents'
import { screens } from '@guidon/contract/screens'
import { useLocation } from 'react-router'
import { Button } from '../../../ui/Button.tsx'
import { FloatingNotices } from '../../../ui/FloatingNotices.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import { ProgressBar } from '../ProgressBar.tsx'
import { failureLines } from './picked-files.ts'
import { WAIT_TEXTS, type SendProgress } from './sending.ts'
import type { Replacement } from './uploads-state.ts'
import { useUploads, useUploadsState } from './uploads.ts'
import css from './UploadNotices.module.css'

const Frame = withClass(FloatingNotices, css['frame'])

const Name = withClass('strong', css['name'])

const Actions = withClass('div', css['actions'])

/** The pressed button disappears with its notice, so the focus moves to the heading of the screen. */
function pressed(action: () => void): () => void {
  return () => {
    document.querySelector('h1')?.focus()
    action()
  }
}

/** Shows on every screen what the dialog or a card does not show at the moment. */
export function UploadNotices() {
  const { versions } = useUploads()
  const toast = useUploadsState((state) => state.toast)
  const replacements = Object.values(useUploadsState((state) => state.replacements))
  const failed = replacements.filter(({ failure }) => failure !== undefined)
  return (
    <Frame aboveMenu>
      <Notice kind="success">
        {toast?.kind === 'success' && (
          <>
            {toast.text} {toast.name && <Name>{toast.name}</Name>}
          </>
        )}
      </Notice>
      <Notice kind="error">{toast?.kind === 'error' && toast.text}</Notice>
      <UnderWay replacements={replacements} />
      <FailedInBackground />
      <Notice kind="error">
        {failed.length > 0 &&
          failed.map((replacement) => (
            <FailedReplacement
              key={replacement.document.id}
              {...replacement}
              onRetry={() => versions.retry(replacement)}
              onDismiss={() => versions.forget(replacement.document.id)}
            />
          ))}
      </Notice>
    </Frame>
  )
}

interface Progress {
  name: string
  sent: SendProgress
}

function UnderWay({ replacements }: { replacements: readonly Replacement[] }) {
  const { openDialog } = useUploads()
  const { pathname } = useLocation()
  const hidden = useUploadsState(({ dialog }) => dialog === 'closed')
  const picked = useUploadsState((state) => state.picked)
  const inDialog = hidden
    ? picked.flatMap(({ name, progress }): Progress[] =>
        progress.kind === 'sending' ? [{ name, sent: progress }] : [],
      )
    : []
  // The cards on Home show their own progress.
  const inCards = pathname === screens.home ? [] : replacements.flatMap(progressOf)
  const shown = [...inDialog, ...inCards]
  return (
    <Notice kind="info">
      {shown.length > 0 && (
        <>
          {shown.map(({ name, sent }) => (
            <div key={name}>
              <p>
                Uploading <Name>{name}</Name>
              </p>
              {sent.wait && <p>{WAIT_TEXTS[sent.wait]}</p>}
              <ProgressBar sentFraction={sent.sentFraction} name={name} />
            </div>
          ))}
          <p>You can keep using the portal.</p>
          {inDialog.length > 0 && (
            <Actions>
              <Button variant="text" onClick={pressed(() => openDialog())}>
                Show <VisuallyHidden>the upload</VisuallyHidden>
              </Button>
            </Actions>
          )}
        </>
      )}
    </Notice>
  )
}

const progressOf = ({ document, sent }: Replacement): Progress[] =>
  sent === undefined ? [] : [{ name: document.name, sent }]

function FailedInBackground() {
  const { openDialog, dismissFailed } = useUploads()
  const hidden = useUploadsState(({ dialog }) => dialog === 'closed')
  const lines = failureLines(useUploadsState((state) => state.picked))
  return (
    <Notice kind="error">
      {hidden && lines.length > 0 && (
        <>
          <p>{FAILED_TO_UPLOAD}</p>
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
          <Actions>
            <Button variant="text" onClick={pressed(() => openDialog())}>
              Show <VisuallyHidden>the files that failed</VisuallyHidden>
            </Button>
            <Button variant="text" onClick={pressed(dismissFailed)}>
              Dismiss <VisuallyHidden>the files that failed</VisuallyHidden>
            </Button>
          </Actions>
        </>
      )}
    </Notice>
  )
}

interface FailedProps extends Replacement {
  onRetry: () => void
  onDismiss: () => void
}

function FailedReplacement({ document, failure, onRetry, onDismiss }: FailedProps) {
  return (
    <div>
      <p>
        <Name>{document.name}</Name>: {failure?.message}
      </p>
      <Actions>
        {failure?.remedy === 'again' && (
          <Button variant="text" onClick={pressed(onRetry)}>
            Try again <VisuallyHidden>to replace {document.name}</VisuallyHidden>
          </Button>
        )}
        <Button variant="text" onClick={pressed(onDismiss)}>
          Dismiss <VisuallyHidden>the failure of {document.name}</VisuallyHidden>
        </Button>
      </Actions>
    </div>
  )
}
