import { FAILED_TO_UPLOAD, MAX_FILES, uploadedDocuments } from '@guidon/contract/documents'
import PhotoLibrary from '@mui/icons-material/PhotoLibraryOutlined'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { Notice } from '../../../ui/Notice.tsx'
import { Restrictions } from '../Restrictions.tsx'
import { DropArea } from './DropArea.tsx'
import { categoriesFor, categoryErrorOf, failureLines } from './picked-files.ts'
import { PickedFileRow } from './PickedFileRow.tsx'
import type { RefusedFiles, useUploadFiles } from './use-upload-files.ts'

const Content = styled(DialogContent)({
  display: 'grid',
  gap: 16,
  alignContent: 'start',
  // Live regions stay when empty; an empty one takes no gap.
  '& > [role]:empty': { display: 'contents' },
})

const List = styled('ul')({
  display: 'grid',
  gap: 12,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  containerType: 'inline-size',
})

const MessageList = styled('ul')({
  margin: '4px 0 0',
  paddingLeft: '1.1em',
  overflowWrap: 'anywhere',
})

interface Props {
  files: ReturnType<typeof useUploadFiles>
  categories: readonly string[] | undefined
  /** Whether to mark files without a category. */
  showMissing: boolean
  onJoin: () => void
}

export function FilesView({ files, categories, showMissing, onJoin }: Props) {
  const { picked, refused, uploaded, busy, finished } = files
  const lines = failureLines(picked)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a small screen the message is far above the pressed button.
    if (!busy)
      content.current?.querySelector('[role=alert] > *')?.scrollIntoView?.({ block: 'nearest' })
  }, [busy])
  return (
    <Content ref={content}>
      {!finished && (
        <>
          <Restrictions />
          <DropArea
            disabled={busy}
            remaining={MAX_FILES - picked.length}
            onFiles={(given) => void files.add(given)}
          />
          <Button
            variant="text"
            onClick={busy ? undefined : onJoin}
            aria-disabled={busy}
            startIcon={<PhotoLibrary aria-hidden />}
            sx={{ justifySelf: 'center', whiteSpace: 'normal' }}
          >
            Join photos into one PDF
          </Button>
        </>
      )}
      <Notice kind="error">
        {refused.length > 0 &&
          refused.map((refusedFiles) => (
            <RefusedLines key={refusedFiles.message} {...refusedFiles} />
          ))}
      </Notice>
      <Notice kind="success">{uploaded.length > 0 && uploadedDocuments(uploaded)}</Notice>
      <Notice kind="error">
        {lines.length > 0 && !busy && (
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
              one={pickedFile}
              choices={categories && categoriesFor(pickedFile.key, picked, categories)}
              categoryError={showMissing ? categoryErrorOf(pickedFile, picked) : undefined}
              busy={busy}
              onChoose={(category) => files.choose(pickedFile.key, category)}
              onRemove={() => files.remove(pickedFile.key)}
              onStop={() => files.stop(pickedFile.key)}
            />
          ))}
        </List>
      )}
    </Content>
  )
}

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
