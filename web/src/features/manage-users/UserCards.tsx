import type { ManagedUser } from '@guidon/contract/manage-users'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { BreakAfterAt } from '../../ui/BreakAfterAt.tsx'
import { longDate } from '../../ui/dates.ts'
import { phoneHref, phoneText } from '../../ui/phone.ts'
import { CrmLink } from './CrmLink.tsx'
import { NoUsers } from './NoUsers.tsx'
import { RoleChips } from './RoleChips.tsx'
import { fullName, NO_VALUE } from './user-texts.ts'
import { UserMenu, type OpenDialog } from './UserMenu.tsx'
import type { View } from './view.ts'

const List = styled('ul')({ display: 'grid', gap: 12, margin: 0, padding: 0, listStyle: 'none' })

const Head = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: 8,
  overflowWrap: 'anywhere',
})

const Name = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 10px',
})

const Details = styled('dl')(({ theme: { vars } }) => ({
  display: 'grid',
  gap: 4,
  margin: '12px 0 0',
  paddingTop: 6,
  fontSize: '0.95rem',
  borderTop: `1px solid ${vars.palette.divider}`,
  '& > div': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '0 16px',
  },
  '& dt': { color: vars.palette.text.secondary },
  '& dd': { margin: '0 0 0 auto', textAlign: 'end', overflowWrap: 'anywhere' },
  '& dd > a': { display: 'inline-block', paddingBlock: 10 },
}))

interface Props {
  users: readonly ManagedUser[]
  view: View
  onOpen: OpenDialog
  onClear: () => void
}

/** The users as cards, for narrow screens. */
export function UserCards({ users, view, onOpen, onClear }: Props) {
  if (users.length === 0) {
    return (
      <Paper variant="outlined" sx={{ p: '16px' }}>
        <NoUsers view={view} onClear={onClear} />
      </Paper>
    )
  }
  return (
    <List aria-label="Users">
      {users.map((user) => (
        <li key={user.id}>
          <Paper variant="outlined" sx={{ p: '16px' }}>
            <Head>
              <div>
                <Name>
                  <Typography variant="h2" component="h2" sx={{ fontSize: '1.1rem' }}>
                    {fullName(user)}
                  </Typography>
                  <RoleChips {...user} />
                </Name>
                <Typography variant="body2" color="textSecondary">
                  <BreakAfterAt>{user.email}</BreakAfterAt>
                </Typography>
              </div>
              <UserMenu user={user} onOpen={onOpen} />
            </Head>
            <Details>
              <div>
                <dt>Phone</dt>
                <dd>
                  <Link href={phoneHref(user.phone)}>{phoneText(user.phone)}</Link>
                </dd>
              </div>
              <div>
                <dt>Salesforce ID</dt>
                <dd>
                  <CrmLink {...user} />
                </dd>
              </div>
              <div>
                <dt>Box ID</dt>
                <dd>{user.boxFolderId ?? NO_VALUE}</dd>
              </div>
              <div>
                <dt>Created at</dt>
                <dd>
                  <time dateTime={user.createdAt}>{longDate(user.createdAt)}</time>
                </dd>
              </div>
            </Details>
          </Paper>
        </li>
      ))}
    </List>
  )
}
