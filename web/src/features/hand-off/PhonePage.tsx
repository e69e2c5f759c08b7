import { reportPages } from '@guidon/contract/hand-off'
import { useState, type ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { LoadingPage } from '../../ui/LoadingPage.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { ArrivedPage } from './ArrivedPage.tsx'
import { latestOnly } from './latest-only.ts'
import { isCodeOver } from './phone-failures.ts'
import { withTimeInName } from './phone-file-name.ts'
import { PhoneChoices } from './PhoneChoices.tsx'
import { PhoneFailure } from './PhoneFailure.tsx'
import { PhoneLayout } from './PhoneLayout.tsx'
import { PhoneProblemPage } from './PhoneProblemPage.tsx'
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts'
import { usePhoneUpload, type PhoneProgress } from './use-phone-upload.ts'
import { useSlot, withEnd, type Slot } from './use-slot.ts'

interface PhotosProps {
  onBack: () => void
  onJoined: (pdf: File) => Promise<void>
  onPagesChange: (count: number) => void
}

/** Parts of the documents feature, which the app passes in. */
interface PhoneParts {
  /** For the file chooser. */
  accept: string
  /** Removes location and camera data from a photo, and makes a camera's generic file name unique. */
  prepare: (file: File) => Promise<File>
  /** Returns the reason for a refusal, or undefined if the file may be sent. */
  check: (file: File) => Promise<string | undefined>
  renderPhotos: (props: PhotosProps) => ReactNode
  renderProgress: (props: PhoneProgress & { name: string }) => ReactNode
}

/** The screen of a phone that has scanned the code of a computer. Nobody is signed in here. */
export function PhonePage(parts: PhoneParts) {
  const { data: slot, error, refetch, isFetching } = useSlot()
  if (slot?.state === 'sending') return <ReceivingPage />
  if (slot) return <OpenSlot first={slot} {...parts} />
  if (!error) return <LoadingPage />
  return <PhoneProblemPage error={error} busy={isFetching} onRetry={() => void refetch()} />
}

const ReceivingPage = () => (
  <PhoneLayout>
    <PageHeading title="Receiving your document">Receiving your document</PageHeading>
    <p>We are receiving and checking it. You need not do anything.</p>
  </PhoneLayout>
)

/** Call it before the pressed button disappears. */
const focusHeading = (): void => document.querySelector('h1')?.focus()

function OpenSlot({
  first,
  renderPhotos,
  renderProgress,
  ...choices
}: PhoneParts & { first: Slot }) {
  const [slot, setSlot] = useState(first)
  const { state, send, forget } = usePhoneUpload(slot.endsAt)
  /** The photos stay when the user goes back. */
  const [photos, setPhotos] = useState<'none' | 'shown' | 'hidden'>('none')
  const [pages, setPages] = useState(0)
  const [reportLatest] = useState(latestOnly)
  const [over, setOver] = useState<Error>()
  const arrived = state.kind === 'arrived' || slot.state === 'arrived'
  useAskBeforeLeaving(!arrived && (pages > 0 || state.kind === 'sending'))

  function countPages(count: number): void {
    setPages(count)
    reportLatest(async () => {
      try {
        setSlot(withEnd(await call(reportPages, { body: { pages: count } })))
      } catch (error) {
        if (isCodeOver(error)) setOver(error as Error)
      }
    })
  }

  async function start(file: File): Promise<void> {
    focusHeading()
    await send(file)
  }

  /** For a button that disappears. */
  const focusingHeading = (action: () => void) => () => {
    focusHeading()
    action()
  }

  if (arrived) return <ArrivedPage />
  const failure = state.kind === 'failed' ? state.failure : undefined
  const ended = over ?? (isCodeOver(failure) ? failure : undefined)
  if (ended) return <PhoneProblemPage error={ended} />
  const name = slot.name ?? 'a document'
  return (
    <PhoneLayout>
      <PageHeading title={`Send ${name}`}>Send {name}</PageHeading>
      <Notice kind="error">{failure?.message}</Notice>
      {state.kind === 'sending' && (
        <>
          <p>Keep this page open until we have your document.</p>
          {renderProgress({ ...state, name })}
        </>
      )}
      {state.kind === 'failed' && (
        <PhoneFailure
          failure={state.failure}
          onRetry={() => void start(state.file)}
          onBack={focusingHeading(forget)}
        />
      )}
      {state.kind === 'none' && photos !== 'shown' && (
        <PhoneChoices
          {...choices}
          pages={pages}
          endsAt={slot.endsAt}
          onPhotos={focusingHeading(() => setPhotos('shown'))}
          onFile={start}
        />
      )}
      {/* Hidden while the file is sent: after a failure the photos are still there. */}
      {photos !== 'none' && (
        <div hidden={state.kind !== 'none' || photos === 'hidden'}>
          {renderPhotos({
            onBack: focusingHeading(() => setPhotos('hidden')),
            // Photos that were joined on the same day would have the same name.
            onJoined: (pdf) => start(withTimeInName(pdf, new Date())),
            onPagesChange: countPages,
          })}
        </div>
      )}
    </PhoneLayout>
  )
}
