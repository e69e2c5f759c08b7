import { reportPages, type HandOffSlot } from '@guidon/contract/hand-off'
import { useState, type ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { LoadingPage } from '../../ui/LoadingPage.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { ArrivedPage } from './ArrivedPage.tsx'
import { isGone } from './phone-failures.ts'
import { PhoneChoices } from './PhoneChoices.tsx'
import { PhoneFailure } from './PhoneFailure.tsx'
import { PhoneLayout } from './PhoneLayout.tsx'
import { PhoneProblemPage } from './PhoneProblemPage.tsx'
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts'
import { usePhoneUpload } from './use-phone-upload.ts'
import { useSlot } from './use-slot.ts'

interface PhotosProps {
  onBack: () => void
  onJoined: (pdf: File) => Promise<void>
  onPagesChange: (count: number) => void
}

/** Parts of the feature of documents, which the app passes in. */
interface PhoneParts {
  /** For the file chooser. */
  accept: string
  /** Returns the reason for a refusal, or undefined if the file may be sent. */
  check: (file: File) => Promise<string | undefined>
  renderPhotos: (props: PhotosProps) => ReactNode
  renderProgress: (props: { sentFraction: number; name: string }) => ReactNode
}

/** The screen of a phone that has scanned the code of a computer. Nobody is signed in here. */
export function PhonePage(parts: PhoneParts) {
  const { data: slot, error, refetch, isFetching } = useSlot()
  if (slot) return <OpenSlot first={slot} {...parts} />
  if (!error) return <LoadingPage />
  return <PhoneProblemPage error={error} busy={isFetching} onRetry={() => void refetch()} />
}

/** Call it before the pressed button disappears. */
const focusHeading = (): void => document.querySelector('h1')?.focus()

function OpenSlot({
  first,
  renderPhotos,
  renderProgress,
  ...choices
}: PhoneParts & { first: HandOffSlot }) {
  const { state, send, forget } = usePhoneUpload()
  const [slot, setSlot] = useState(first)
  const [taking, setTaking] = useState(false)
  const [pages, setPages] = useState(0)
  const [over, setOver] = useState<Error>()
  const arrived = state.kind === 'arrived' || slot.state === 'arrived'
  useAskBeforeLeaving(!arrived && (pages > 0 || state.kind === 'sending'))

  function countPages(count: number): void {
    setPages(count)
    call(reportPages, { body: { pages: count } }).then(setSlot, (error: Error) => {
      if (isGone(error)) setOver(error)
    })
  }

  async function start(file: File): Promise<void> {
    focusHeading()
    await send(file)
  }

  /** For a button that disappears. */
  const leaving = (action: () => void) => () => {
    focusHeading()
    action()
  }

  if (arrived) return <ArrivedPage />
  if (over) return <PhoneProblemPage error={over} />
  const name = slot.name ?? 'a document'
  return (
    <PhoneLayout>
      <PageHeading title={`Send ${name}`}>Send {name}</PageHeading>
      {state.kind === 'sending' && renderProgress({ sentFraction: state.sentFraction, name })}
      {state.kind === 'failed' && (
        <PhoneFailure
          failure={state.failure}
          onRetry={() => void start(state.file)}
          onBack={leaving(forget)}
        />
      )}
      {state.kind === 'none' && !taking && (
        <PhoneChoices
          {...choices}
          secondsLeft={slot.secondsLeft}
          onPhotos={() => setTaking(true)}
          onFile={start}
        />
      )}
      {/* Hidden while the file is sent: after a failure the photos are still there. */}
      {taking && (
        <div hidden={state.kind !== 'none'}>
          {renderPhotos({
            onBack: leaving(() => setTaking(false)),
            onJoined: start,
            onPagesChange: countPages,
          })}
        </div>
      )}
    </PhoneLayout>
  )
}
