import { telHref } from '@guidon/contract/brand'
import Link from '@mui/material/Link'
import { brand } from './brand.ts'

/** The phone number of the provider's office, within a sentence. */
export function ProviderPhoneLink() {
  return (
    <Link href={telHref(brand.phone)} sx={{ whiteSpace: 'nowrap' }}>
      {brand.phone}
    </Link>
  )
}
