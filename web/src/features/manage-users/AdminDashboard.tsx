import { AdminLayout } from '../../ui/AdminLayout.tsx'
import type { AccountProps } from '../../ui/feature.ts'
import { ManageUsersPage } from './ManageUsersPage.tsx'
import type { UserParts } from './user-parts.ts'

export function AdminDashboard({ account, notice, ...parts }: AccountProps & UserParts) {
  return (
    <AdminLayout account={account}>
      {notice}
      <ManageUsersPage {...parts} />
    </AdminLayout>
  )
}
