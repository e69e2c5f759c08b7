import Link from '@mui/material/Link'
import { brand } from './brand.ts'
import { EmailText } from './EmailText.tsx'
import { mailHref } from './mail-href.ts'

/** The email address of the provider's office, within a sentence. */
export function ProviderEmailLink() {
  return (
    <Link href={mailHref(brand.informationEmail)} sx={{ overflowWrap: 'anywhere' }}>
      <EmailText>{brand.informationEmail}</EmailText>
    </Link>
  )
}
