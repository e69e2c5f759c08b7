import SupportAgent from '@mui/icons-material/SupportAgent'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { CrisisLine } from './CrisisLine.tsx'
import { ProviderPhoneLink } from './ProviderPhoneLink.tsx'

const Title = styled('div')(({ theme: { vars } }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  marginBottom: 8,
  '& svg': { color: vars.palette.primary.main },
}))

const Panel = styled('section')({
  containerType: 'inline-size',
  '& > p:last-child': { marginTop: 12 },
})

// Two columns where both fit, else the hours below the days.
const Hours = styled('dl')({
  margin: 0,
  fontSize: '0.95rem',
  '& dt': { marginTop: 10, fontWeight: 700 },
  '& dd': { margin: 0 },
  '@container (min-width: 19rem)': {
    display: 'grid',
    gridTemplateColumns: 'max-content 1fr',
    gap: '4px 24px',
    marginTop: 12,
    '& dt': { marginTop: 0 },
  },
})

export function HelpPanel() {
  const id = useId()
  return (
    <Panel aria-labelledby={id}>
      <Title>
        <SupportAgent aria-hidden />
        <Typography id={id} variant="h3" component="h2">
          Help
        </Typography>
      </Title>
      <p>
        Call <ProviderPhoneLink /> for immediate assistance.
      </p>
      <Hours>
        <dt>Monday-Friday</dt>
        <dd>8:00 am-5:00 pm PST</dd>
        <dt>Saturday-Sunday</dt>
        <dd>Closed</dd>
      </Hours>
      <CrisisLine />
    </Panel>
  )
}
