import type { ManagedUser, SortBy } from '@guidon/contract/manage-users'
import { styled } from '@mui/material/styles'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import TableSortLabel from '@mui/material/TableSortLabel'
import { BreakAfterAt } from '../../ui/BreakAfterAt.tsx'
import { longDate } from '../../ui/dates.ts'
import { phoneText } from '../../ui/phone.ts'
import { CrmLink } from './CrmLink.tsx'
import { NoUsers } from './NoUsers.tsx'
import { RoleChips } from './RoleChips.tsx'
import { COLUMNS, NO_VALUE } from './user-texts.ts'
import { UserMenu, type OpenDialog } from './UserMenu.tsx'
import type { View } from './view.ts'

const OTHERS = ['Salesforce ID', 'Box ID', 'Actions']

/** In percent, in the order of the columns: fixed, so that they do not move from page to page. */
const WIDTHS = [21.8, 9.3, 9.3, 7.2, 13.8, 20, 12.1, 6.5]
const NARROW_WIDTHS = [19, 10, 10, 11, 12, 17, 12, 9]

const columnWidths = (widths: readonly number[]) =>
  Object.fromEntries(
    widths.map((width, at) => [`& col:nth-of-type(${at + 1})`, { width: `${width}%` }]),
  )

const Grid = styled(Table)(({ theme: { vars, breakpoints } }) => ({
  tableLayout: 'fixed',
  ...columnWidths(WIDTHS),
  '& th, & td': {
    padding: '8px 10px',
    fontSize: '0.85rem',
    lineHeight: 1.4,
    borderColor: vars.palette.divider,
    overflowWrap: 'anywhere',
  },
  '& th:first-of-type': { paddingLeft: 20 },
  '& thead th:last-of-type, & td:last-of-type': { paddingRight: 16 },
  '& thead th': {
    height: '3.4rem',
    fontWeight: 700,
    fontSize: '0.8rem',
    whiteSpace: 'nowrap',
    backgroundColor: vars.palette.tint.faint,
  },
  '& tbody th': { fontWeight: 700 },
  '& td > time, & td > a, & td > [data-id]': {
    display: 'block',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  '& td > a': { lineHeight: '44px' },
  [breakpoints.down('lg')]: {
    ...columnWidths(NARROW_WIDTHS),
    '& thead th, & td > time': { whiteSpace: 'normal', overflowWrap: 'break-word' },
    '& th, & td': { padding: '8px 6px' },
    '& td': { fontSize: '0.8rem' },
    '& tbody th': { fontSize: '0.8rem' },
  },
  '& [data-inactive] :is(th, td)': { color: vars.palette.text.secondary },
  '& .MuiTableSortLabel-root': { minHeight: 44 },
  '& .MuiTableSortLabel-icon': { marginInline: 0, opacity: 0.5 },
  '& .Mui-active .MuiTableSortLabel-icon': { opacity: 1 },
}))

const Phone = styled('div')(({ theme: { vars } }) => ({
  fontWeight: 400,
  whiteSpace: 'nowrap',
  color: vars.palette.text.secondary,
}))

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
              sx={{ height: '8rem' }}
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
