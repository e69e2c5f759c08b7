import { brand } from '../../ui/brand.ts'
import { OutsideLink } from '../../ui/OutsideLink.tsx'

export function TermsLabel() {
  return (
    <>
      I accept the <OutsideLink href={brand.termsUrl}>Terms of Service</OutsideLink> and the{' '}
      <OutsideLink href={brand.privacyUrl}>Privacy Policy</OutsideLink>.
    </>
  )
}
