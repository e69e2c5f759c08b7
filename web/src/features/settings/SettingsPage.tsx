import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { AccountActivity } from './AccountActivity.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { Profile } from './Profile.tsx'
import { useChangePassword } from './use-change-password.ts'

interface Props {
  /** Which emails the veteran gets. */
  emailNotices: ReactNode
  /** What happened to the veteran's case. */
  caseActivity: ReactNode
  /** What the veteran agreed to. */
  agreements: ReactNode
}

export function SettingsPage({ emailNotices, caseActivity, agreements }: Props) {
  const form = useChangePassword()
  return (
    <>
      <PageHeading title="Settings" failed={form.failed}>
        Settings
      </PageHeading>
      <Profile />
      <ChangePassword {...form} />
      {emailNotices}
      {agreements}
      {caseActivity}
      <AccountActivity />
    </>
  )
}
