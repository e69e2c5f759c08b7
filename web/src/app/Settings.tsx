import { CaseActivity } from '../features/case-progress/CaseActivity.tsx'
import { SettingsPage } from '../features/settings/SettingsPage.tsx'

export function Settings() {
  return <SettingsPage caseActivity={<CaseActivity />} />
}
