import { NO_CATEGORY_MESSAGE } from '@guidon/contract/documents'
import type { BodyIn } from '@guidon/contract/endpoint'
import type { createHandOff } from '@guidon/contract/hand-off'
import { useEffect, useRef, useState, type ComponentProps, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent } from '../../ui/dialog-parts.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { HandOffCode } from './HandOffCode.tsx'
import css from './HandOffPanel.module.css'

const Content = withClass(DialogContent, css['content'])

export interface HandOffPanelProps {
  /** The requested document that the file is for. */
  request: { id: string; type: string } | undefined
  /** To choose from without a request; undefined while loading. */
  categories: ComponentProps<typeof SelectField>['options'] | undefined
  onBack: () => void
  onArrived: (documentId: string) => Promise<void>
  /** Whether the phone has photos that it has not sent. */
  onPhotosChange: (hasPhotos: boolean) => void
}

/** Takes the place of the ways to choose a file: shows the code, and then what the phone does. */
export function HandOffPanel(props: HandOffPanelProps) {
  const { request, categories, onBack, onArrived, onPhotosChange } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const [type, setType] = useState('')
  const [missing, setMissing] = useState(false)
  const [slot, setSlot] = useState<BodyIn<typeof createHandOff> | undefined>(
    request && { documentType: request.type, documentId: request.id },
  )
  const [hasPhotos, setHasPhotos] = useState(false)
  const [asking, setAsking] = useState(false)
  const focusHeading = () => heading.current?.focus()
  useEffect(focusHeading, [])

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    setMissing(type === '')
    if (type === '') return event.currentTarget.querySelector('select')?.focus()
    flushSync(() => setSlot({ documentType: type }))
    // The pressed button is gone.
    focusHeading()
  }

  function setPhotos(has: boolean): void {
    setHasPhotos(has)
    onPhotosChange(has)
    if (!has) setAsking(false)
  }

  return (
    <form noValidate onSubmit={submit} style={{ display: 'contents' }}>
      <Content>
        <Typography variant="h3" tabIndex={-1} ref={heading}>
          Use your phone’s camera
        </Typography>
        {slot ? (
          <HandOffCode
            slot={slot}
            onArrived={onArrived}
            onRenew={focusHeading}
            onPhotosChange={setPhotos}
          />
        ) : (
          <SelectField
            label="Category"
            hint="What kind of document is it?"
            placeholder={categories === undefined ? 'Loading categories…' : 'Select a category'}
            options={categories ?? []}
            value={type}
            onChange={(event) => setType(event.target.value)}
            error={missing && type === '' ? NO_CATEGORY_MESSAGE : undefined}
          />
        )}
        <Notice kind="error">
          {asking &&
            'Your phone has photos that are not sent. If you go back, it can no longer send them.'}
        </Notice>
      </Content>
      <DialogActions>
        <Button
          variant="outlined"
          onClick={() => (hasPhotos && !asking ? setAsking(true) : onBack())}
        >
          {asking ? 'Go back anyway' : 'Back'}
        </Button>
        {asking && <Button onClick={() => setAsking(false)}>Wait for the phone</Button>}
        {!slot && <Button type="submit">Show the code</Button>}
      </DialogActions>
    </form>
  )
}
