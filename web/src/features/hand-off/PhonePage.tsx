import { reportPages, type HandOffSlot } from '@guidon/contract/hand-off'
import AddAPhoto from '@mui/icons-material/AddAPhotoOutlined'
import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import UploadFile from '@mui/icons-material/UploadFile'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState, type ChangeEvent, type ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { IconDisc } from '../../ui/IconDisc.ts'
import { LoadingPage } from '../../ui/LoadingPage.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { PhoneLayout } from './PhoneLayout.tsx'
import { PhoneProblemPage } from './PhoneProblemPage.tsx'
import { usePhoneUpload } from './use-phone-upload.ts'
import { isGone, useSlot } from './use-slot.ts'

interface PhotosProps {
  onBack: () => void
  onJoined: (pdf: File) => Promise<void>
  onPagesChange: (count: number) => void
}

/** Parts of the feature of documents, which the app passes in. */
export interface PhoneParts {
  /** For the file chooser. */
  accept: string
  /** Returns the reason for a refusal, or undefined if the file may be sent. */
  check: (file: File) => Promise<string | undefined>
  photos: (props: PhotosProps) => ReactNode
  progress: (props: { sentFraction: number; name: string }) => ReactNode
}

/** The screen of a phone that has scanned the code of a computer. Nobody is signed in here. */
export function PhonePage(parts: PhoneParts) {
  const { data: slot, error, refetch, isFetching } = useSlot()
  if (slot) return <OpenSlot first={slot} {...parts} />
  if (!error) return <LoadingPage />
  return <PhoneProblemPage error={error} busy={isFetching} onRetry={() => void refetch()} />
}

function OpenSlot({ first, accept, check, photos, progress }: PhoneParts & { first: HandOffSlot }) {
  const { state, send, forget } = usePhoneUpload()
  const [taking, setTaking] = useState(false)
  const [pages, setPages] = useState(0)
  const [refusal, setRefusal] = useState<string>()
  const [over, setOver] = useState<Error>()
  const input = useRef<HTMLInputElement>(null)
  const arrived = state.kind === 'arrived' || first.state === 'arrived'
  useAskBeforeLeaving(!arrived && (pages > 0 || state.kind === 'sending'))

  function countPages(count: number): void {
    setPages(count)
    call(reportPages, { body: { pages: count } }).catch((error: Error) => {
      if (isGone(error)) setOver(error)
    })
  }

  async function pick({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = target.files?.[0]
    target.value = ''
    if (!file) return
    const message = await check(file)
    setRefusal(message)
    if (message === undefined) await send(file)
  }

  if (arrived) return <Arrived />
  if (over) return <PhoneProblemPage error={over} />
  const name = first.name ?? 'a document'
  return (
    <PhoneLayout>
      <PageHeading title={`Send ${name}`}>Send {name}</PageHeading>
      {state.kind === 'sending' ? (
        progress({ sentFraction: state.sentFraction, name })
      ) : state.kind === 'failed' ? (
        <Failed
          failure={state.failure}
          onRetry={() => void send(state.file)}
          onBack={() => forget()}
        />
      ) : taking ? null : (
        <>
          <Typography>
            What you send from this phone goes to your account in the portal. Your computer shows
            when it arrives.
          </Typography>
          <Notice kind="error">{refusal}</Notice>
          <Button startIcon={<AddAPhoto aria-hidden />} onClick={() => setTaking(true)}>
            Take photos
          </Button>
          <Button
            variant="outlined"
            startIcon={<UploadFile aria-hidden />}
            onClick={() => input.current?.click()}
          >
            Choose a PDF or a photo
          </Button>
          <input
            ref={input}
            type="file"
            accept={accept}
            hidden
            aria-label="File to send"
            onChange={(event) => void pick(event)}
          />
        </>
      )}
      {/* Stays while the file is sent: after a failure the photos are still there. */}
      {taking && (
        <div hidden={state.kind !== 'none'}>
          {photos({
            onBack: () => setTaking(false),
            onJoined: send,
            onPagesChange: countPages,
          })}
        </div>
      )}
    </PhoneLayout>
  )
}

const focusOnMount = (element: HTMLElement | null) => element?.focus()

function Failed(props: { failure: Error; onRetry: () => void; onBack: () => void }) {
  return (
    <>
      <Notice kind="error">{props.failure.message}</Notice>
      <Button ref={focusOnMount} onClick={props.onRetry}>
        Try again
      </Button>
      <Button variant="outlined" onClick={props.onBack}>
        Back
      </Button>
    </>
  )
}

function Arrived() {
  return (
    <PhoneLayout>
      <IconDisc>
        <CheckCircle aria-hidden />
      </IconDisc>
      <PageHeading title="It arrived">It arrived.</PageHeading>
      <Typography>We have your document. You can close this page.</Typography>
    </PhoneLayout>
  )
}

/** The photos are only in the memory of this page. */
function useAskBeforeLeaving(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [active])
}
