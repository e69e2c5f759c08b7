import type { ManagedUser, SortBy } from '@guidon/contract/manage-users'
import { styled } from '@mui/material/styles'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TableSortLabel from '@mui/material/TableSortLabel'
import { longDate } from '../../ui/dates.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import { CrmLink } from './CrmLink.tsx'
import { RoleChips } from './RoleChips.tsx'
import { COLUMNS, NO_VALUE, NO_USERS } from './user-texts.ts'
import { UserMenu, type OpenDialog } from './UserMenu.tsx'
import type { View } from './view.ts'

const OTHERS = ['Salesforce ID', 'Box ID', 'Actions']

const Grid = styled(Table)(({ theme: { vars, breakpoints } }) => ({
  '& th, & td': {
    padding: '8px 10px',
    fontSize: '0.85rem',
    lineHeight: 1.4,
    borderColor: vars.palette.divider,
    overflowWrap: 'anywhere',
  },
  '& th:first-of-type': { paddingLeft: 20 },
  '& thead th:last-of-type, & td:last-of-type': { paddingRight: 20 },
  '& thead th': {
    height: '3.4rem',
    fontWeight: 700,
    fontSize: '0.8rem',
    whiteSpace: 'nowrap',
    backgroundColor: vars.palette.tint.faint,
  },
  '& tbody th': { fontWeight: 700, minWidth: '9rem' },
  [breakpoints.down('lg')]: {
    '& th, & td': { padding: '8px 6px' },
    '& td': { fontSize: '0.8rem' },
    '& tbody th': { minWidth: '8rem', fontSize: '0.8rem' },
    '& .MuiTableSortLabel-icon': { marginInline: 0 },
  },
  '& [data-inactive] :is(th, td)': { color: vars.palette.text.secondary },
  '& .MuiTableSortLabel-root': { minHeight: 44 },
  '& .MuiTableSortLabel-icon': { opacity: 0.5 },
  '& .Mui-active .MuiTableSortLabel-icon': { opacity: 1 },
}))

interface Props {
  users: readonly ManagedUser[]
  view: View
  onSort: (column: SortBy) => void
  onOpen: OpenDialog
}

export function UsersTable({ users, view, onSort, onOpen }: Props) {
  return (
    <Grid aria-label="Users">
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
              sx={{ height: '8rem' }}
              align="center"
            >
              {NO_USERS}
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
        <EmailText>{user.email}</EmailText>
      </TableCell>
      <TableCell>{user.lastName}</TableCell>
      <TableCell>{user.firstName}</TableCell>
      <TableCell>
        <RoleChips {...user} />
      </TableCell>
      <TableCell>
        <time dateTime={user.createdAt}>{longDate(user.createdAt)}</time>
      </TableCell>
      <TableCell>
        <CrmLink {...user} />
      </TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}>{user.boxFolderId ?? NO_VALUE}</TableCell>
      <TableCell align="center">
        <UserMenu user={user} onOpen={onOpen} />
      </TableCell>
    </TableRow>
  )
}
