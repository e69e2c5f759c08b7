import { AdminDashboard } from '../features/manage-users/AdminDashboard.tsx'
import type { AccountProps } from '../ui/feature.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { fileButtonsOf } from './file-buttons.tsx'

const ProgressOf = lazyPart(
  async () => (await import('../features/case-progress/ProgressOf.tsx')).ProgressOf,
)

const progressOf = (userId: string) => <ProgressOf userId={userId} />

export function ManageUsers(account: AccountProps) {
  return <AdminDashboard {...account} progressOf={progressOf} fileButtonsOf={fileButtonsOf} />
}
