import { PageHeading } from '../../ui/PageHeading.tsx'
import { AccountActivity } from './AccountActivity.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { Profile } from './Profile.tsx'
import { useChangePassword } from './use-change-password.ts'

export function SettingsPage() {
  const form = useChangePassword()
  return (
    <>
      <PageHeading title="Settings" failed={form.failed}>
        Settings
      </PageHeading>
      <Profile />
      <ChangePassword {...form} />
      <AccountActivity />
    </>
  )
}
