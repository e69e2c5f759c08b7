import { CaseActivity } from '../features/case-progress/CaseActivity.tsx'
import { Agreements } from '../features/consents/Agreements.tsx'
import { SettingsPage } from '../features/settings/SettingsPage.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { PageSection } from '../ui/PageSection.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

// Lazy, or the first load would list its files, as it lists every file that a screen imports statically.
const EmailNotices = lazyPart(
  async () => (await import('../features/notices/EmailNotices.tsx')).EmailNotices,
  <PageSection title="Email notices">
    {/* About as high as the switches, so that what follows stays where it is. */}
    <Skeleton variant="rounded" height="38rem" />
  </PageSection>,
)

export function Settings() {
  return (
    <SettingsPage
      emailNotices={<EmailNotices />}
      agreements={<Agreements />}
      caseActivity={<CaseActivity />}
    />
  )
}
