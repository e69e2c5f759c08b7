import Hourglass from '@mui/icons-material/HourglassEmpty'
import Mail from '@mui/icons-material/MailOutlined'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { BreakAfterAt } from '../../ui/BreakAfterAt.tsx'
import { CallLink } from '../../ui/CallLink.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { IconLine } from '../../ui/IconLine.tsx'
import { mailHref } from '../../ui/mail-href.ts'
import { initials, type CaseManagerDetails } from './case-manager-details.ts'

const Columns = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '12px 24px',
})

const Person = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: 16,
  flex: '1 1 12rem',
  minWidth: 0,
})

const Disc = styled('span')(({ theme: { vars } }) => ({
  display: 'grid',
  flex: 'none',
  placeItems: 'center',
  width: '3.3rem',
  height: '3.3rem',
  borderRadius: '50%',
  fontSize: '1.2rem',
  fontWeight: 700,
  backgroundColor: vars.palette.tint.soft,
  border: '1px solid transparent',
}))

const ContactLinks = styled('div')({
  minWidth: 0,
  '& > div': { display: 'flex', flexWrap: 'wrap' },
  // In a narrow container, the copy button wraps below the email address and aligns with its text.
  '@container (max-width: 22rem)': { '& button': { marginLeft: 'calc(1.2rem - 2px)' } },
})

interface Props extends CaseManagerDetails {
  title: string
}

export function CaseManagerContact({ title, assigned, name, email, phone }: Props) {
  return (
    <Columns>
      <Person>
        <Disc aria-hidden>{assigned ? initials(name) : <Hourglass />}</Disc>
        <div>
          <Typography variant="body2" component="h2" color="textSecondary">
            {title}
          </Typography>
          <Typography variant="h3" component="p">
            {name}
          </Typography>
        </div>
      </Person>
      <ContactLinks>
        {email && (
          <div>
            <IconLine icon={<Mail aria-hidden />} href={mailHref(email)}>
              <BreakAfterAt>{email}</BreakAfterAt>
            </IconLine>
            <CopyButton text={email} contentName="email address" />
          </div>
        )}
        {phone && (
          <div>
            <CallLink phone={phone} />
          </div>
        )}
      </ContactLinks>
    </Columns>
  )
}
