import { AdminLayout } from '../../ui/AdminLayout.tsx'
import type { AccountProps } from '../../ui/feature.ts'
import { ManageUsersPage } from './ManageUsersPage.tsx'
import type { ProgressOf } from './UserProgress.tsx'

interface Props extends AccountProps {
  progressOf: ProgressOf
}

export function AdminDashboard({ account, notice, progressOf }: Props) {
  return (
    <AdminLayout account={account}>
      {notice}
      <ManageUsersPage progressOf={progressOf} />
    </AdminLayout>
  )
}
