import Call from '@mui/icons-material/CallOutlined'
import { IconLine } from './IconLine.tsx'
import { phoneHref } from './phone.ts'

/** A phone number with an icon; the link starts a call. */
export function CallLink({ phone }: { phone: string }) {
  return (
    <IconLine icon={<Call aria-hidden />} href={phoneHref(phone)}>
      {phone}
    </IconLine>
  )
}
