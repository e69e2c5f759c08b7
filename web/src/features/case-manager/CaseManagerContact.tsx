import Hourglass from '@mui/icons-material/HourglassEmpty'
import Mail from '@mui/icons-material/MailOutlined'
import { BreakAfterAt } from '../../ui/BreakAfterAt.tsx'
import { CallLink } from '../../ui/CallLink.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { IconLine } from '../../ui/IconLine.tsx'
import { mailHref } from '../../ui/mail-href.ts'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { initials, type CaseManagerDetails } from './case-manager-details.ts'
import css from './CaseManagerContact.module.css'

const Columns = withClass('div', css['columns'])

const Person = withClass('div', css['person'])

const Disc = withClass('span', css['disc'])

const ContactLinks = withClass('div', css['contactLinks'])

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
