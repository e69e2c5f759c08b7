import type { Document } from '@guidon/contract/documents'
import FolderOpen from '@mui/icons-material/FolderOpenOutlined'
import UploadFile from '@mui/icons-material/UploadFile'
import WarningAmber from '@mui/icons-material/WarningAmber'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { EmptyCard } from '../../ui/EmptyCard.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { countText, newUploadsFirst } from './document-list.ts'
import { DocumentList } from './DocumentList.tsx'
import { documentsQuery, useDocumentChanges } from './documents-query.ts'
import { DocumentsSkeleton } from './DocumentsSkeleton.tsx'
import { Restrictions } from './Restrictions.tsx'
import { StaticNote } from './StaticNote.tsx'
import { Toast } from './Toast.tsx'
import { useToast } from './use-toast.ts'

const UploadDialog = lazyPart(async () => (await import('./upload/UploadDialog.tsx')).UploadDialog)

const Stack = styled('div')({ display: 'grid', gap: 12 })

export function Documents() {
  const result = useQuery(documentsQuery)
  const { add } = useDocumentChanges()
  const { toast, show } = useToast()
  const [newIds, setNewIds] = useState<readonly string[]>([])
  const [dialog, setDialog] = useState<'never' | 'open' | 'closed'>('never')
  const inThisDialog = useRef(0)

  function start(): void {
    inThisDialog.current = 0
    setDialog('open')
  }

  /** New documents go to the top, those of one dialog in the order in which they were chosen. */
  async function uploaded(created: Document): Promise<void> {
    await add(created)
    const place = inThisDialog.current
    inThisDialog.current += 1
    setNewIds((ids) => ids.filter((id) => id !== created.id).toSpliced(place, 0, created.id))
  }

  return (
    <PageSection
      title="Documents"
      note={result.data && countText(result.data)}
      action={
        <Button
          variant="outlined"
          startIcon={<UploadFile aria-hidden />}
          onClick={start}
          sx={({ breakpoints }) => ({
            [breakpoints.down('sm')]: { width: '100%', whiteSpace: 'normal' },
          })}
        >
          Upload Document
        </Button>
      }
    >
      <Stack>
        <Restrictions />
        <StaticNote tone="warning" icon={<WarningAmber aria-hidden />}>
          Viewing uploaded files is temporarily disabled.
        </StaticNote>
        <Loaded result={result} contentName="documents" skeleton={<DocumentsSkeleton />}>
          {(documents) =>
            documents.length === 0 ? (
              <EmptyCard icon={<FolderOpen aria-hidden />}>
                No documents have been shared or requested.
              </EmptyCard>
            ) : (
              <DocumentList documents={newUploadsFirst(documents, newIds)} show={show} />
            )
          }
        </Loaded>
      </Stack>
      {dialog !== 'never' && (
        <UploadDialog
          open={dialog === 'open'}
          onClose={() => setDialog('closed')}
          onUploaded={uploaded}
        />
      )}
      <Toast toast={toast} />
    </PageSection>
  )
}
