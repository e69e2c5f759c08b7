import { AdminLayout } from '../../ui/AdminLayout.tsx'
import type { AccountProps } from '../../ui/feature.ts'
import { ManageUsersPage } from './ManageUsersPage.tsx'

export function AdminDashboard({ account, notice }: AccountProps) {
  return (
    <AdminLayout account={account}>
      {notice}
      <ManageUsersPage />
    </AdminLayout>
  )
}
