import { getDocumentsOf } from '@guidon/contract/documents'
import type { ManagedUser } from '@guidon/contract/manage-users'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { OutsideLink } from '../../ui/OutsideLink.tsx'
import { DialogFrame } from './DialogFrame.tsx'
import { boxAddress, crmAddress } from './outside-addresses.ts'
import { documentCounts } from './staff-document-texts.ts'
import { StaffDocuments, type FileButtons } from './StaffDocuments.tsx'
import type { UserParts } from './user-parts.ts'
import { fullName } from './user-texts.ts'

const Links = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  columnGap: 24,
  '& > a': { paddingBlock: 10 },
})

const skeleton = [1, 2, 3].map((row) => <Skeleton key={row} height="3.4rem" />)

interface Props extends Pick<UserParts, 'fileButtonsOf'> {
  user: ManagedUser
  open: boolean
  onClose: () => void
  onClosed: () => void
}

export function UserDocumentsDialog({ user, fileButtonsOf, ...dialog }: Props) {
  const { salesforceId } = user
  const folder = boxAddress('folder', user.boxFolderId)
  return (
    <DialogFrame title="User Documents" wide {...dialog}>
      <DialogContent sx={{ py: 1, overflowWrap: 'anywhere' }}>
        <Typography>
          {fullName(user)} ({user.email})
        </Typography>
        <Links>
          {salesforceId && (
            <OutsideLink href={crmAddress(salesforceId)}>Salesforce record</OutsideLink>
          )}
          {folder && <OutsideLink href={folder}>Box folder</OutsideLink>}
        </Links>
        {salesforceId ? (
          <DocumentsOf
            salesforceId={salesforceId}
            fileButtons={fileButtonsOf && ((document) => fileButtonsOf(user.id, document))}
          />
        ) : (
          <Typography color="textSecondary" sx={{ mt: 1.5 }}>
            This account is not linked to a Salesforce ID, so there are no documents to show.
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
          <Typography color="textSecondary" sx={{ mt: 1.5 }}>
            No documents have been shared or requested.
          </Typography>
        ) : (
          <>
            <Typography color="textSecondary" sx={{ my: 1 }}>
              {documentCounts(documents)}
            </Typography>
            <StaffDocuments documents={documents} fileButtons={fileButtons} />
          </>
        )
      }
    </Loaded>
  )
}
