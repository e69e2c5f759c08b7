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
  onSay: (sentence: string) => void
}

export function UserDialog({ kind, onSay, ...dialog }: Props) {
  return kind === 'edit' ? (
    <EditUserDialog {...dialog} onSay={onSay} />
  ) : (
    <UserDocumentsDialog {...dialog} />
  )
}
