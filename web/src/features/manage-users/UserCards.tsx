import type { ManagedUser } from '@guidon/contract/manage-users'
import { BreakAfterAt } from '../../ui/BreakAfterAt.tsx'
import { longDate } from '../../ui/dates.ts'
import { Link } from '../../ui/Link.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { phoneHref, phoneText } from '../../ui/phone.ts'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { CrmLink } from './CrmLink.tsx'
import { NoUsers } from './NoUsers.tsx'
import { RoleChips } from './RoleChips.tsx'
import { fullName, NO_VALUE } from './user-texts.ts'
import { UserMenu, type OpenDialog } from './UserMenu.tsx'
import type { View } from './view.ts'
import css from './UserCards.module.css'

const List = withClass('ul', css['list'])

const Head = withClass('div', css['head'])

const Name = withClass('div', css['name'])

const Details = withClass('dl', css['details'])

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
      <Paper className={css['card']}>
        <NoUsers view={view} onClear={onClear} />
      </Paper>
    )
  }
  return (
    <List aria-label="Users">
      {users.map((user) => (
        <li key={user.id}>
          <Paper className={css['card']}>
            <Head>
              <div>
                <Name>
                  <Typography variant="h2" component="h2" className={css['fullName']}>
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
