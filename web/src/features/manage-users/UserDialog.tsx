import type { ManagedUser } from '@guidon/contract/manage-users'
import { EditUserDialog } from './EditUserDialog.tsx'
import { UserDocumentsDialog } from './UserDocumentsDialog.tsx'
import type { ProgressOf } from './UserProgress.tsx'

interface Props {
  kind: 'edit' | 'documents'
  user: ManagedUser
  open: boolean
  onClose: () => void
  /** Called after the closing transition. */
  onClosed: () => void
  /** Shows a message on the page. */
  onMessage: (text: string) => void
  progressOf: ProgressOf
}

export function UserDialog({ kind, onMessage, progressOf, ...dialog }: Props) {
  return kind === 'edit' ? (
    <EditUserDialog {...dialog} onMessage={onMessage} progressOf={progressOf} />
  ) : (
    <UserDocumentsDialog {...dialog} />
  )
}
