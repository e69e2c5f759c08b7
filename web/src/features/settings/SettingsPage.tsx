import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { AccountActivity } from './AccountActivity.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { Profile } from './Profile.tsx'
import { useChangePassword } from './use-change-password.ts'

/** `caseActivity`: what happened to the veteran's case. */
export function SettingsPage({ caseActivity }: { caseActivity: ReactNode }) {
  const form = useChangePassword()
  return (
    <>
      <PageHeading title="Settings" failed={form.failed}>
        Settings
      </PageHeading>
      <Profile />
      <ChangePassword {...form} />
      {caseActivity}
      <AccountActivity />
    </>
  )
}
