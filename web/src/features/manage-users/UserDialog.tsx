import type { ManagedUser } from '@guidon/contract/manage-users'
import { EditUserDialog } from './EditUserDialog.tsx'
import type { UserParts } from './user-parts.ts'
import { UserDocumentsDialog } from './UserDocumentsDialog.tsx'

interface Props extends UserParts {
  kind: 'edit' | 'documents'
  user: ManagedUser
  open: boolean
  onClose: () => void
  /** Called after the closing transition. */
  onClosed: () => void
  /** Shows a message on the page. */
  onMessage: (text: string) => void
}

export function UserDialog({
  kind,
  onMessage,
  progressOf,
  emailsOf,
  fileButtonsOf,
  ...dialog
}: Props) {
  return kind === 'edit' ? (
    <EditUserDialog {...dialog} onMessage={onMessage} progressOf={progressOf} emailsOf={emailsOf} />
  ) : (
    <UserDocumentsDialog {...dialog} fileButtonsOf={fileButtonsOf} />
  )
}
