import AddAPhoto from '@mui/icons-material/AddAPhotoOutlined'
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ChangeEvent,
  type FormEvent,
} from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/Button.tsx'
import { DialogActions, DialogContent } from '../../../ui/dialog-parts.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import { PageRow } from './PageRow.tsx'
import { movePage, photosName, turnPage } from './photo-pages.ts'
import { usePhotoPages } from './use-photo-pages.ts'
import css from './PhotoJoiner.module.css'

const Content = withClass(DialogContent, css['content'])

const List = withClass('ol', css['list'])

interface Props {
  takenNames: readonly string[]
  onBack: () => void
  onJoined: (pdf: File) => Promise<void>
  onPagesChange: (count: number) => void
  /** Whether this is the page of a phone, whose user takes the photos now and sends them at once. */
  onPhone?: boolean
}

const focusOnMount = (heading: HTMLElement | null) => heading?.focus()

/** Joins several photos into one PDF: records have several pages, and a phone takes one at a time. */
export function PhotoJoiner({
  takenNames,
  onBack,
  onJoined,
  onPagesChange,
  onPhone = false,
}: Props) {
  const input = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { pages, setPages, errors, add, join } = usePhotoPages()
  const [name, setName] = useState(() => photosName(new Date(), takenNames))
  const [announcement, setAnnouncement] = useState('')

  const report = useEffectEvent(onPagesChange)
  useEffect(() => report(pages.length), [pages.length])

  function pick(event: ChangeEvent<HTMLInputElement>): void {
    void add([...(event.target.files ?? [])])
    event.target.value = ''
  }

  function move(key: string, step: -1 | 1, button: HTMLElement): void {
    const next = movePage(pages, key, step)
    // Moving the row in the DOM drops the focus, so restore it.
    flushSync(() => setPages(next))
    button.focus()
    setAnnouncement(`Now page ${next.findIndex((page) => page.key === key) + 1} of ${next.length}.`)
  }

  /** The pressed button is gone: moves the focus to that of the next page, or else to Add photos. */
  function remove(key: string): void {
    const at = pages.findIndex((page) => page.key === key)
    flushSync(() => setPages(pages.filter((page) => page.key !== key)))
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
    const next = buttons[at] ?? buttons.at(-1) ?? addButton.current
    next?.focus()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    const pdf = join(name)
    if (pdf) void onJoined(pdf)
  }

  return (
    <form noValidate onSubmit={submit} style={{ display: 'contents' }}>
      <Content>
        <div>
          <Typography
            variant="h3"
            component={onPhone ? 'h2' : 'h3'}
            tabIndex={-1}
            ref={focusOnMount}
          >
            {onPhone ? 'Take photos of the pages' : 'Join photos into one PDF'}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {onPhone
              ? 'Take a photo of each page and put them in order. Nothing is sent until you press Send.'
              : 'Add a photo of each page and put them in order. They become one file, here on your device; nothing is sent yet.'}
          </Typography>
        </div>
        {onPhone && (
          <>
            <Button startIcon={<AddAPhoto aria-hidden />} onClick={() => camera.current?.click()}>
              {pages.length === 0 ? 'Take a photo' : 'Take another photo'}
            </Button>
            <input
              ref={camera}
              type="file"
              accept="image/jpeg"
              capture="environment"
              hidden
              aria-label="Photo of the next page"
              onChange={pick}
            />
          </>
        )}
        <Button
          ref={addButton}
          variant="outlined"
          startIcon={<AddAPhoto aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {onPhone ? 'Choose photos' : pages.length === 0 ? 'Add photos' : 'Add more photos'}
        </Button>
        <input
          ref={input}
          type="file"
          accept="image/jpeg,.jpg,.jpeg"
          multiple
          hidden
          aria-label="Photos of the pages"
          onChange={pick}
        />
        <Notice kind="error">
          {errors.length > 0 && errors.map((line) => <p key={line}>{line}</p>)}
        </Notice>
        {pages.length > 0 && (
          <>
            <List ref={list} aria-label="Pages">
              {pages.map((page, index) => (
                <PageRow
                  key={page.key}
                  page={page}
                  number={index + 1}
                  last={index === pages.length - 1}
                  onMove={(step, button) => move(page.key, step, button)}
                  onTurn={() => setPages(turnPage(pages, page.key))}
                  onRemove={() => remove(page.key)}
                />
              ))}
            </List>
            {!onPhone && (
              <TextField
                label="Name of the PDF"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </>
        )}
        <VisuallyHidden as="output">{announcement}</VisuallyHidden>
      </Content>
      <DialogActions>
        <Button variant="outlined" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" disabled={pages.length === 0}>
          {submitText(pages.length, onPhone)}
        </Button>
      </DialogActions>
    </form>
  )
}

function submitText(pages: number, onPhone: boolean): string {
  if (onPhone) return pages > 1 ? `Send ${pages} pages` : 'Send'
  return pages > 1 ? `Join ${pages} pages` : 'Make PDF'
}
