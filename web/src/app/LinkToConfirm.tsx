import { LinkToConfirmPage } from '../features/manage-users/links/LinkToConfirmPage.tsx'
import type { AccountProps } from '../ui/feature.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const SignInAgain = lazyPart(
  async () => (await import('../features/auth/SignInAgainDialog.tsx')).SignInAgainDialog,
)

export function LinkToConfirm(account: AccountProps) {
  return <LinkToConfirmPage {...account} SignInAgain={SignInAgain} />
}
