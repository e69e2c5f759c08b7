import type { SignedInUser } from '@guidon/contract/account'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { BreakAfterAt } from './BreakAfterAt.tsx'
import { phoneText } from './phone.ts'

const Initials = styled('span')(({ theme: { vars } }) => ({
  display: 'grid',
  flex: 'none',
  placeItems: 'center',
  width: '2.45rem',
  height: '2.45rem',
  borderRadius: '50%',
  fontSize: '0.9rem',
  fontWeight: 700,
  color: vars.palette.badge.ink,
  backgroundColor: vars.palette.badge.ground,
  border: '1px solid transparent',
}))

const Row = styled('div')({ display: 'flex', alignItems: 'center', gap: 12, marginBottom: 12 })

const Facts = styled('div')({ fontSize: '0.9rem', lineHeight: 1.6, overflowWrap: 'anywhere' })

export function PersonCard({ firstName, lastName, email, phone }: Omit<SignedInUser, 'role'>) {
  return (
    <Paper variant="outlined" sx={{ p: '20px' }}>
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
