import { dialled } from '@guidon/contract/brand'
import Link from '@mui/material/Link'
import { brand } from './brand.ts'

export function PhoneLink() {
  return (
    <Link href={dialled(brand.phone)} sx={{ whiteSpace: 'nowrap' }}>
      {brand.phone}
    </Link>
  )
}
