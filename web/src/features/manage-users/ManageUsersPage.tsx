import { PageHeading } from '../../ui/PageHeading.tsx'

export function ManageUsersPage() {
  return <PageHeading title="Manage Users">Manage Users</PageHeading>
}
