import type { StaffDocument } from '@guidon/contract/documents'
import { AdminDashboard } from '../features/manage-users/AdminDashboard.tsx'
import { brand } from '../ui/brand.ts'
import type { AccountProps } from '../ui/feature.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Themed } from '../ui/Themed.tsx'

const ProgressOf = lazyPart(
  async () => (await import('../features/case-progress/ProgressOf.tsx')).ProgressOf,
)
const EmailsSent = lazyPart(
  async () => (await import('../features/notices/EmailsSent.tsx')).EmailsSent,
)
const FileButtons = brand.documentViewing
  ? lazyPart(async () => (await import('../features/viewing/FileButtons.tsx')).FileButtons)
  : undefined

const progressOf = (userId: string) => <ProgressOf userId={userId} />
const emailsOf = (userId: string) => <EmailsSent userId={userId} />
const fileButtonsOf =
  FileButtons &&
  ((userId: string, { id, name }: StaffDocument) => (
    <FileButtons id={id} name={name} userId={userId} />
  ))

export function ManageUsers(account: AccountProps) {
  return (
    <Themed>
      <AdminDashboard
        {...account}
        progressOf={progressOf}
        emailsOf={emailsOf}
        fileButtonsOf={fileButtonsOf}
      />
    </Themed>
  )
}
