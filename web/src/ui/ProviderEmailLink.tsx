import { brand } from './brand.ts'
import { BreakAfterAt } from './BreakAfterAt.tsx'
import { Link } from './Link.tsx'
import { mailHref } from './mail-href.ts'
import css from './ProviderEmailLink.module.css'

/** The email address of the provider's office, within a sentence. */
export function ProviderEmailLink() {
  return (
    <Link href={mailHref(brand.informationEmail)} className={css['link']}>
      <BreakAfterAt>{brand.informationEmail}</BreakAfterAt>
    </Link>
  )
}
