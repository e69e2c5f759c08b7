import FolderOpen from '@mui/icons-material/FolderOpenOutlined'
import UploadFile from '@mui/icons-material/UploadFile'
import WarningAmber from '@mui/icons-material/WarningAmber'
import { useState, type Ref } from 'react'
import { useSectionQuery } from '../../api/use-section-query.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyCard } from '../../ui/EmptyCard.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { withClass } from '../../ui/with-class.ts'
import { countText, newUploadsFirst } from './document-list.ts'
import type { FileButtons } from './DocumentCard.tsx'
import { DocumentList } from './DocumentList.tsx'
import { documentsQuery } from './documents-query.ts'
import { DocumentsSkeleton } from './DocumentsSkeleton.tsx'
import { Restrictions } from './Restrictions.tsx'
import { StaticNote } from './StaticNote.tsx'
import { useUploads, useUploadsState } from './upload/uploads.ts'
import css from './Documents.module.css'

const UnfinishedUploads = lazyPart(
  async () => (await import('./unfinished/UnfinishedUploads.tsx')).UnfinishedUploads,
)

const Stack = withClass('div', css['stack'])

interface Props {
  /** Makes the heading focusable. */
  headingRef?: Ref<HTMLHeadingElement>
  /** Whether the account has uploads that are not finished. */
  hasUnfinished?: boolean
  /** Renders the buttons that open the file of a document; without it, viewing is disabled. */
  fileButtons?: FileButtons | undefined
}

export function Documents({ headingRef, hasUnfinished = false, fileButtons }: Props) {
  const result = useSectionQuery(documentsQuery)
  const { openDialog } = useUploads()
  const foundUnfinished = useUploadsState((state) => state.foundUnfinished)
  const [showsUnfinished, setShowsUnfinished] = useState(false)
  // Stays afterwards, because it moves the focus when its last row is gone.
  if ((hasUnfinished || foundUnfinished) && !showsUnfinished) setShowsUnfinished(true)
  const newIds = useUploadsState((state) => state.newIds)

  return (
    <PageSection
      title="Documents"
      headingRef={headingRef}
      note={result.data && countText(result.data)}
      action={
        <Button
          variant="outlined"
          startIcon={<UploadFile aria-hidden />}
          onClick={() => openDialog()}
          className={css['upload']}
        >
          Upload Document
        </Button>
      }
    >
      <Stack>
        <Restrictions />
        {!fileButtons && (
          <StaticNote tone="warning" icon={<WarningAmber aria-hidden />}>
            Viewing uploaded files is temporarily disabled.
          </StaticNote>
        )}
        {showsUnfinished && <UnfinishedUploads />}
        <Loaded result={result} contentName="documents" skeleton={<DocumentsSkeleton />}>
          {(documents) =>
            documents.length === 0 ? (
              <EmptyCard icon={<FolderOpen aria-hidden />}>
                No documents have been shared or requested.
              </EmptyCard>
            ) : (
              <DocumentList
                documents={newUploadsFirst(documents, newIds)}
                fileButtons={fileButtons}
              />
            )
          }
        </Loaded>
      </Stack>
    </PageSection>
  )
}
