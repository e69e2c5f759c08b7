import { telHref } from '@guidon/contract/brand'
import Link from '@mui/material/Link'
import { brand } from './brand.ts'

export function PhoneLink() {
  return (
    <Link href={telHref(brand.phone)} sx={{ whiteSpace: 'nowrap' }}>
      {brand.phone}
    </Link>
  )
}
