import { FAILED_TO_UPLOAD, RESUMABLE_MIN_BYTES } from '@guidon/contract/documents'
import { tooManyUnfinished, UNFINISHED_HOURS } from '@guidon/contract/resumable-uploads'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/Button.tsx'
import { DialogContent } from '../../../ui/dialog-parts.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { withClass } from '../../../ui/with-class.ts'
import { Restrictions } from '../Restrictions.tsx'
import { FileChoices } from './FileChoices.tsx'
import {
  categoriesFor,
  categoryErrorOf,
  failureLines,
  isUploading,
  remainingFor,
  type PickedFile,
  type RefusedFiles,
} from './picked-files.ts'
import { PickedFileRow } from './PickedFileRow.tsx'
import {
  countUploaded,
  successText,
  uploadedInDialog,
  useUploads,
  useUploadsState,
} from './uploads.ts'
import css from './FilesView.module.css'

const UnfinishedUploads = lazyPart(
  async () => (await import('../unfinished/UnfinishedUploads.tsx')).UnfinishedUploads,
)

const Content = withClass(DialogContent, css['content'])

const List = withClass('ul', css['list'])

const MessageList = withClass('ul', css['messageList'])

interface Props {
  categories: readonly string[] | undefined
  /** Whether to mark files without a category. */
  showMissing: boolean
  onFiles: (files: File[]) => void
  onJoin: () => void
  /** Undefined if a phone cannot send the file. */
  onPhone?: (() => void) | undefined
}

export function FilesView({ categories, showMissing, onFiles, onJoin, onPhone }: Props) {
  const { files, closeDialog } = useUploads()
  const state = useUploadsState((all) => all)
  const { picked, refused, request } = state
  const uploaded = countUploaded(state)
  const uploading = picked.some(isUploading)
  const finished = uploaded > 0 && picked.length === 0
  const lines = failureLines(picked)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a small screen the message is far above the pressed button.
    if (!uploading)
      content.current?.querySelector('[role=alert] > *')?.scrollIntoView?.({ block: 'nearest' })
  }, [uploading])

  /** The pressed button is gone: moves the focus to that of the next file, or else to the ways to add one. */
  function remove(key: string): void {
    const at = picked.findIndex((pickedFile) => pickedFile.key === key)
    flushSync(() => files.remove(key))
    const buttons = [...(content.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
    const next = buttons[at] ?? buttons.at(-1) ?? content.current?.querySelector('button')
    next?.focus()
  }

  const choices = (
    <FileChoices
      request={request}
      remaining={remainingFor(request, picked)}
      onFiles={onFiles}
      onJoin={onJoin}
      onPhone={onPhone}
    />
  )
  // Once they were sent, the files come first, with their progress and the reasons of failures.
  const filesFirst = uploading || uploaded > 0 || lines.length > 0
  return (
    <Content ref={content}>
      {!filesFirst && (
        <>
          <Restrictions />
          {choices}
        </>
      )}
      <Notice kind="error">
        {refused.length > 0 &&
          refused.map((refusedFiles) => (
            <RefusedLines key={refusedFiles.message} {...refusedFiles} />
          ))}
      </Notice>
      <Notice kind="success">{uploaded > 0 && successText(uploadedInDialog(state))}</Notice>
      <Notice kind="error">
        {lines.length > 0 && !uploading && (
          <>
            <p>{FAILED_TO_UPLOAD}</p>
            <MessageList>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </MessageList>
          </>
        )}
      </Notice>
      {picked.length > 0 && (
        <List aria-label="Files to upload">
          {picked.map((pickedFile) => (
            <PickedFileRow
              key={pickedFile.key}
              pickedFile={pickedFile}
              choices={categories && categoriesFor(pickedFile.key, picked, categories)}
              categoryError={showMissing ? categoryErrorOf(pickedFile, picked) : undefined}
              onRemove={() => remove(pickedFile.key)}
            />
          ))}
        </List>
      )}
      {isLimitReached(picked) && <UnfinishedUploads inDialog />}
      {uploading && (
        <div>
          <Typography variant="body2" color="textSecondary">
            You can close this window. The upload goes on.
            {picked.some(isLarge) &&
              ` If you stop it, we keep what we have of a large file for ${UNFINISHED_HOURS} hours, so that you can continue. If you cancel a file, we delete what we have of it.`}
          </Typography>
          <Button variant="text" onClick={closeDialog} className={css['button']}>
            Close and keep uploading
          </Button>
        </div>
      )}
      {filesFirst && !finished && choices}
    </Content>
  )
}

const isLarge = ({ file, progress }: PickedFile): boolean =>
  progress.kind === 'sending' && file.size >= RESUMABLE_MIN_BYTES

/** An upload must be finished or removed before another one can start. */
const isLimitReached = (picked: readonly PickedFile[]): boolean =>
  picked.some(
    ({ progress }) => progress.kind === 'failed' && progress.code === tooManyUnfinished.code,
  )

function RefusedLines({ message, names }: RefusedFiles) {
  return (
    <>
      <p>{message}</p>
      {names.length > 0 && (
        <MessageList>
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </MessageList>
      )}
    </>
  )
}
