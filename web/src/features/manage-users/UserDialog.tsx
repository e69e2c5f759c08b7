import type { ManagedUser } from '@guidon/contract/manage-users'
import { EditUserDialog } from './EditUserDialog.tsx'
import { UserDocumentsDialog } from './UserDocumentsDialog.tsx'

interface Props {
  kind: 'edit' | 'documents'
  user: ManagedUser
  open: boolean
  onClose: () => void
  /** Called after the closing transition. */
  onClosed: () => void
  /** Shows a message on the page. */
  onMessage: (text: string) => void
}

export function UserDialog({ kind, onMessage, ...dialog }: Props) {
  return kind === 'edit' ? (
    <EditUserDialog {...dialog} onMessage={onMessage} />
  ) : (
    <UserDocumentsDialog {...dialog} />
  )
}
