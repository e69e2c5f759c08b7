import type { ManagedUser, SortBy } from '@guidon/contract/manage-users'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TableSortLabel from '@mui/material/TableSortLabel'
import { BreakAfterAt } from '../../ui/BreakAfterAt.tsx'
import { longDate } from '../../ui/dates.ts'
import { phoneText } from '../../ui/phone.ts'
import { withClass } from '../../ui/with-class.ts'
import { CrmLink } from './CrmLink.tsx'
import { NoUsers } from './NoUsers.tsx'
import { RoleChips } from './RoleChips.tsx'
import { COLUMNS, NO_VALUE } from './user-texts.ts'
import { UserMenu, type OpenDialog } from './UserMenu.tsx'
import type { View } from './view.ts'
import css from './UsersTable.module.css'

const OTHERS = ['Salesforce ID', 'Box ID', 'Actions']

const Grid = withClass(Table, css['grid'])

const Phone = withClass('div', css['phone'])

interface Props {
  users: readonly ManagedUser[]
  view: View
  onSort: (column: SortBy) => void
  onOpen: OpenDialog
  onClear: () => void
}

export function UsersTable({ users, view, onSort, onOpen, onClear }: Props) {
  return (
    <Grid aria-label="Users">
      <colgroup>
        {[...COLUMNS.map(({ column }) => column), ...OTHERS].map((name) => (
          <col key={name} />
        ))}
      </colgroup>
      <TableHead>
        <TableRow>
          {COLUMNS.map(({ column, label }) => {
            const active = view.sortBy === column
            return (
              <TableCell key={column} sortDirection={active && view.order}>
                <TableSortLabel
                  active={active}
                  direction={active ? view.order : 'asc'}
                  onClick={() => onSort(column)}
                >
                  {label}
                </TableSortLabel>
              </TableCell>
            )
          })}
          {OTHERS.map((label) => (
            <TableCell key={label}>{label}</TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {users.map((user) => (
          <UserRow key={user.id} user={user} onOpen={onOpen} />
        ))}
        {users.length === 0 && (
          <TableRow>
            <TableCell
              colSpan={COLUMNS.length + OTHERS.length}
              className={css['tableCell']}
              align="center"
            >
              <NoUsers view={view} onClear={onClear} />
            </TableCell>
          </TableRow>
        )}
      </TableBody>
    </Grid>
  )
}

function UserRow({ user, onOpen }: { user: ManagedUser; onOpen: OpenDialog }) {
  return (
    <TableRow hover {...(!user.isActive && { 'data-inactive': '' })}>
      <TableCell component="th" scope="row">
        <BreakAfterAt>{user.email}</BreakAfterAt>
        <Phone>{phoneText(user.phone)}</Phone>
      </TableCell>
      <TableCell>{user.lastName}</TableCell>
      <TableCell>{user.firstName}</TableCell>
      <TableCell>
        <RoleChips {...user} />
      </TableCell>
      <TableCell>
        <time dateTime={user.createdAt}>{longDate(user.createdAt)}</time>
      </TableCell>
      <TableCell title={user.salesforceId ?? undefined}>
        <CrmLink {...user} />
      </TableCell>
      <TableCell title={user.boxFolderId ?? undefined}>
        <div data-id>{user.boxFolderId ?? NO_VALUE}</div>
      </TableCell>
      <TableCell align="center">
        <UserMenu user={user} onOpen={onOpen} />
      </TableCell>
    </TableRow>
  )
}
