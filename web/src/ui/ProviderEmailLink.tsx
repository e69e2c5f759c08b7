import Link from '@mui/material/Link'
import { brand } from './brand.ts'
import { BreakAfterAt } from './BreakAfterAt.tsx'
import { mailHref } from './mail-href.ts'

/** The email address of the provider's office, within a sentence. */
export function ProviderEmailLink() {
  return (
    <Link href={mailHref(brand.informationEmail)} sx={{ overflowWrap: 'anywhere' }}>
      <BreakAfterAt>{brand.informationEmail}</BreakAfterAt>
    </Link>
  )
}
