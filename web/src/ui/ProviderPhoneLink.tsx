import { telHref } from '@guidon/contract/brand'
import { brand } from './brand.ts'
import { Link } from './Link.tsx'
import css from './ProviderPhoneLink.module.css'

/** The phone number of the provider's office, within a sentence. */
export function ProviderPhoneLink() {
  return (
    <Link href={telHref(brand.phone)} className={css['link']}>
      {brand.phone}
    </Link>
  )
}
