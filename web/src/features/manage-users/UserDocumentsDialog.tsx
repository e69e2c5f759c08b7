import { getDocumentsOf, type StaffDocument } from '@guidon/contract/documents'
import type { ManagedUser } from '@guidon/contract/manage-users'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent } from '../../ui/dialog-parts.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { OutsideLink } from '../../ui/OutsideLink.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { boxUrl, crmUrl } from './crm-and-box-urls.ts'
import { DialogFrame } from './DialogFrame.tsx'
import { documentCounts, notInCrmTexts } from './staff-document-texts.ts'
import { StaffDocuments, type FileButtons } from './StaffDocuments.tsx'
import type { UserParts } from './user-parts.ts'
import { fullName } from './user-texts.ts'
import css from './UserDocumentsDialog.module.css'

const Links = withClass('div', css['links'])

const skeleton = [1, 2, 3].map((row) => <Skeleton key={row} height="3.4rem" />)

interface Props extends Pick<UserParts, 'fileButtonsOf'> {
  user: ManagedUser
  open: boolean
  onClose: () => void
  onClosed: () => void
}

export function UserDocumentsDialog({ user, fileButtonsOf, ...dialog }: Props) {
  const { salesforceId } = user
  const folder = boxUrl('folder', user.boxFolderId)
  return (
    <DialogFrame title="User Documents" wide {...dialog}>
      <DialogContent className={css['dialogContent']}>
        <Typography>
          {fullName(user)} ({user.email})
        </Typography>
        <Links>
          {salesforceId && <OutsideLink href={crmUrl(salesforceId)}>Salesforce record</OutsideLink>}
          {folder && <OutsideLink href={folder}>Box folder</OutsideLink>}
        </Links>
        {salesforceId ? (
          <DocumentsOf
            salesforceId={salesforceId}
            fileButtons={fileButtonsOf && ((document) => fileButtonsOf(user.id, document))}
          />
        ) : (
          <Typography color="textSecondary" className={css['notLinked']}>
            This account is not linked to a Salesforce ID, so its documents cannot be shown here.
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={dialog.onClose}>
          Close
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}

/** Every view is audited, so it is never served from the cache. */
function DocumentsOf({
  salesforceId,
  fileButtons,
}: {
  salesforceId: string
  fileButtons: FileButtons | undefined
}) {
  const result = useQuery({
    queryKey: ['documents-of', salesforceId],
    queryFn: ({ signal }) => call(getDocumentsOf, { params: { id: salesforceId }, signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded result={result} contentName="documents" skeleton={skeleton}>
      {(documents) =>
        documents.length === 0 ? (
          <Typography color="textSecondary" className={css['noDocuments']}>
            No documents have been shared or requested.
          </Typography>
        ) : (
          <>
            <Typography color="textSecondary" className={css['counts']}>
              {documentCounts(documents)}
            </Typography>
            <NotInSalesforce documents={documents} />
            <StaffDocuments documents={documents} fileButtons={fileButtons} />
          </>
        )
      }
    </Loaded>
  )
}

function NotInSalesforce({ documents }: { documents: readonly StaffDocument[] }) {
  const texts = notInCrmTexts(documents)
  if (texts.length === 0) return null
  return (
    <div className={css['notInSalesforce']}>
      <Notice kind="info">
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Notice>
    </div>
  )
}
