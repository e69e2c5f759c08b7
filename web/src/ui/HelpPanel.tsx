import SupportAgent from '@mui/icons-material/SupportAgent'
import { useId } from 'react'
import { CrisisLine } from './CrisisLine.tsx'
import { ProviderPhoneLink } from './ProviderPhoneLink.tsx'
import { Typography } from './Typography.tsx'
import { withClass } from './with-class.ts'
import css from './HelpPanel.module.css'

const Title = withClass('div', css['title'])

const Panel = withClass('section', css['panel'])

// Two columns where both fit, else the hours below the days.
const Hours = withClass('dl', css['hours'])

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
