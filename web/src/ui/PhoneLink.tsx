import Link from '@mui/material/Link'
import { dialled } from '@guidon/contract/brand'
import { brand } from './brand.ts'

export function PhoneLink() {
  return (
    <Link href={dialled(brand.phone)} noWrap>
      {brand.phone}
    </Link>
  )
}
