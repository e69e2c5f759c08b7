import { EMAIL_UNREACHABLE } from '@guidon/contract/notices'
// The icon of other notices, because Home has it anyway.
import WarningIcon from '@mui/icons-material/ErrorOutlineOutlined'
import { styled } from '@mui/material/styles'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'

const Frame = styled('span')(({ theme: { vars } }) => ({
  display: 'flex',
  gap: 14,
  marginBottom: 20,
  padding: '14px 16px',
  fontSize: '0.95rem',
  lineHeight: 1.55,
  border: `1px solid ${vars.palette.tone.warning.edge}`,
  borderRadius: 12,
  backgroundColor: vars.palette.tone.warning.ground,
  '& svg': { flex: 'none', marginTop: 1, color: vars.palette.warning.main },
}))

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
