import type { BodyIn } from '@guidon/contract/endpoint'
import { handOffGone, type createHandOff } from '@guidon/contract/hand-off'
import { screens } from '@guidon/contract/screens'
import { useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/Button.tsx'
import { minutesAndSeconds } from '../../ui/countdown.ts'
import { LoadingText } from '../../ui/LoadingText.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { progressText } from './hand-off-texts.ts'
import { QrCode } from './QrCode.tsx'
import { useHandOff } from './use-hand-off.ts'
import { useSecondsLeft } from './use-seconds-left.ts'
import css from './HandOffCode.module.css'

const Columns = withClass('div', css['columns'])

interface Props {
  /** What the file is for: its category, and the requested document if there is one. */
  slot: BodyIn<typeof createHandOff>
  onArrived: (documentId: string) => Promise<void>
  /** Called when a new code is requested. The pressed button is gone, so the focus needs another place. */
  onRenew: () => void
  /** Whether the phone has photos that it has not sent. */
  onPhotosChange: (hasPhotos: boolean) => void
}

export function HandOffCode({ slot, onArrived, onRenew, onPhotosChange }: Props) {
  const { token, state, gone, pages, documentId, endsAt, error, renew } = useHandOff(slot)
  const secondsLeft = useSecondsLeft(endsAt)
  const arrived = useEffectEvent(onArrived)
  useEffect(() => {
    // If it fails, this part still shows that the document has arrived.
    if (documentId !== undefined) arrived(documentId).catch(() => {})
  }, [documentId])

  const canSend = state === 'waiting' || state === 'connected'
  // By the clock of this computer, so that the code also ends without a connection.
  const late = canSend && secondsLeft === 0
  const over = gone || late || state === 'expired' || error !== null
  const running = !over && canSend
  const hasPhotos = running && pages > 0
  const reportPhotos = useEffectEvent(onPhotosChange)
  useEffect(() => reportPhotos(hasPhotos), [hasPhotos])
  return (
    <>
      {state === undefined && !error && <LoadingText />}
      {!over && state === 'waiting' && token !== undefined && (
        <Columns>
          <QrCode
            text={`${location.origin}${screens.phone}#${token}`}
            label="Code to scan with your phone"
          />
          <div>
            <ol>
              <li>Open the camera on your phone.</li>
              <li>Point it at this code.</li>
              <li>Tap the link that appears.</li>
            </ol>
          </div>
        </Columns>
      )}
      <Notice kind="info">{!over && state && progressText(state, pages)}</Notice>
      {running && (
        <Typography variant="body2" color="textSecondary">
          Time left: <span role="timer">{minutesAndSeconds(secondsLeft)}</span>. Only use a phone
          that you trust.
        </Typography>
      )}
      <Notice kind="error">
        {over && (error?.message ?? (gone ? handOffGone.message : TIME_IS_OVER))}
      </Notice>
      {over && (
        <Button
          variant="outlined"
          onClick={() => {
            flushSync(renew)
            onRenew()
          }}
          className={css['button']}
        >
          Show a new code
        </Button>
      )}
    </>
  )
}

const TIME_IS_OVER = 'The time for this code is over.'
