import { EMAIL_UNREACHABLE } from '@guidon/contract/notices'
// The icon of other notices, because Home loads it anyway.
import WarningIcon from '@mui/icons-material/ErrorOutlineOutlined'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'
import { withClass } from '../../ui/with-class.ts'
import css from './EmailUnreachable.module.css'

const Frame = withClass('span', css['frame'])

/** Tells the veteran that emails came back. */
export function EmailUnreachable() {
  return (
    <Frame>
      <WarningIcon aria-hidden />
      <span>
        {EMAIL_UNREACHABLE} <ProviderPhoneLink />.
      </span>
    </Frame>
  )
}
