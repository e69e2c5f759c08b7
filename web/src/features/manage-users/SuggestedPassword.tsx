import { styled } from '@mui/material/styles'
import { CopyButton } from '../../ui/CopyButton.tsx'

const Frame = styled('div')(({ theme: { vars } }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
  padding: '10px 16px',
  border: `1px solid ${vars.palette.tone.info.edge}`,
  borderRadius: 12,
  backgroundColor: vars.palette.tone.info.ground,
  '& code': {
    minWidth: 0,
    overflowWrap: 'anywhere',
    fontSize: '1.05rem',
    fontWeight: 600,
    letterSpacing: '0.04em',
  },
  '& p': { flexBasis: '100%', fontSize: '0.9rem' },
}))

/** The password that the browser generated, while the form still contains it. */
export function SuggestedPassword({ password }: { password: string }) {
  return (
    <Frame>
      <code>{password}</code>
      <CopyButton text={password} contentName="suggested password" />
      <p>Write it down or copy it now. It is not shown again and never emailed.</p>
    </Frame>
  )
}
