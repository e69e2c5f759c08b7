import type { SignedInUser } from '@guidon/contract/account'
import { BreakAfterAt } from './BreakAfterAt.tsx'
import { Paper } from './Paper.tsx'
import { phoneText } from './phone.ts'
import { Typography } from './Typography.tsx'
import { withClass } from './with-class.ts'
import css from './PersonCard.module.css'

const Initials = withClass('span', css['initials'])

const Row = withClass('div', css['row'])

const Facts = withClass('div', css['facts'])

export function PersonCard({ firstName, lastName, email, phone }: Omit<SignedInUser, 'role'>) {
  return (
    <Paper className={css['paper']}>
      <Row>
        <Initials aria-hidden>{firstName.slice(0, 1) + lastName.slice(0, 1)}</Initials>
        <Typography variant="h3" component="h2">
          {firstName} {lastName}
        </Typography>
      </Row>
      <Facts>
        <div>
          <BreakAfterAt>{email}</BreakAfterAt>
        </div>
        <div>{phoneText(phone)}</div>
      </Facts>
    </Paper>
  )
}
