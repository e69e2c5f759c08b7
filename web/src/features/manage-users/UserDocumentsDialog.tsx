import { getDocumentsOf, HAS_SCRIPTS, type StaffDocument } from '@guidon/contract/documents'
import type { ManagedUser } from '@guidon/contract/manage-users'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { longDate } from '../../ui/dates.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { DialogFrame } from './DialogFrame.tsx'
import { fullName } from './user-texts.ts'

const List = styled('ul')(({ theme: { vars } }) => ({
  margin: '12px 0 0',
  padding: 0,
  listStyle: 'none',
  '& > li': { padding: '12px 0', borderTop: `1px solid ${vars.palette.divider}` },
}))

const skeleton = [1, 2, 3].map((row) => <Skeleton key={row} height="3.4rem" />)

interface Props {
  user: ManagedUser
  open: boolean
  onClose: () => void
  onClosed: () => void
}

export function UserDocumentsDialog({ user, ...dialog }: Props) {
  return (
    <DialogFrame title="User Documents" {...dialog}>
      <DialogContent sx={{ py: 1, overflowWrap: 'anywhere' }}>
        <Typography>
          {fullName(user)} ({user.email})
        </Typography>
        {user.salesforceId ? (
          <DocumentsOf salesforceId={user.salesforceId} />
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
function DocumentsOf({ salesforceId }: { salesforceId: string }) {
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
          <List>
            {requestedFirst(documents).map((document) => (
              <li key={document.id}>
                <Typography sx={{ fontWeight: 700 }}>{document.name}</Typography>
                <Typography variant="body2" color="textSecondary">
                  {statusText(document)}
                </Typography>
              </li>
            ))}
          </List>
        )
      }
    </Loaded>
  )
}

/** Requested documents first, as on the veteran's screen. */
function requestedFirst(documents: readonly StaffDocument[]): StaffDocument[] {
  return documents.toSorted((a, b) => Number(!!a.boxFileId) - Number(!!b.boxFileId))
}

function statusText({ type, boxFileId, lastUploadedDate, hasScripts }: StaffDocument): string {
  const when = boxFileId && lastUploadedDate ? longDate(lastUploadedDate) : undefined
  const note = hasScripts && HAS_SCRIPTS
  return [boxFileId ? 'Uploaded' : 'Requested', type, when, note].filter(Boolean).join(' · ')
}
