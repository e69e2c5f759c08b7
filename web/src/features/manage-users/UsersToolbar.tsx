import { role } from '@guidon/contract/account'
import { accountStatus, SEARCH_DEBOUNCE_MS } from '@guidon/contract/manage-users'
import Search from '@mui/icons-material/Search'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useEffect, useEffectEvent, type Ref } from 'react'
import { useDebounced } from '../../ui/use-debounced.ts'
import { PlainSelect } from './PlainSelect.tsx'
import {
  ALL_ACCOUNTS,
  ALL_ROLES,
  ROLE_CHOICES,
  SORT_CHOICES,
  sortFromChoice,
  sortOf,
  STATUS_CHOICES,
} from './user-texts.ts'
import type { View } from './view.ts'

const Bar = styled('div')(({ theme: { breakpoints, vars } }) => ({
  display: 'grid',
  // The two filters stand side by side where they fit.
  gridTemplateColumns: 'repeat(auto-fit, minmax(9.2rem, 1fr))',
  gap: 12,
  '& > output': { color: vars.palette.text.secondary },
  [breakpoints.up('md')]: {
    gridTemplateColumns: 'minmax(0, 22rem) 10rem 11rem auto',
    alignItems: 'center',
    '& > output': { justifySelf: 'end', whiteSpace: 'nowrap' },
  },
  [breakpoints.down('md')]: {
    '& > :first-of-type, & > [data-part=sort], & > output': { gridColumn: '1 / -1' },
  },
}))

interface Props {
  view: View
  onChange: (change: Partial<View>) => void
  /** The search text as typed; the view gets it after a pause. */
  typed: string
  onType: (text: string) => void
  searchBox: Ref<HTMLInputElement>
  /** For the cards, which have no column headings. */
  offersSort: boolean
  /** The count as a text. */
  count: string
}

export function UsersToolbar({
  view,
  onChange,
  typed,
  onType,
  searchBox,
  offersSort,
  count,
}: Props) {
  const settled = useDebounced(typed.trim(), SEARCH_DEBOUNCE_MS)
  const search = useEffectEvent((q: string) => {
    if (q !== view.q) onChange({ q })
  })
  useEffect(() => search(settled), [settled])

  return (
    <Bar>
      <OutlinedInput
        type="search"
        placeholder="Search users..."
        value={typed}
        onChange={(event) => onType(event.target.value)}
        inputRef={searchBox}
        startAdornment={<Search aria-hidden sx={{ color: 'text.secondary' }} />}
        slotProps={{ input: { 'aria-label': 'Search users', maxLength: 100 } }}
        sx={{ '& input::placeholder': { color: 'text.secondary', opacity: 1 } }}
      />
      <PlainSelect
        aria-label="Role"
        options={ROLE_CHOICES}
        value={view.role ?? ALL_ROLES}
        onChoose={(value) => onChange({ role: role.safeParse(value).data })}
      />
      <PlainSelect
        aria-label="Status"
        options={STATUS_CHOICES}
        value={view.status ?? ALL_ACCOUNTS}
        onChoose={(value) => onChange({ status: accountStatus.safeParse(value).data })}
      />
      {offersSort && (
        <div data-part="sort">
          <PlainSelect
            aria-label="Sort by"
            options={SORT_CHOICES}
            value={sortOf(view)}
            onChoose={(value) => onChange(sortFromChoice(value))}
          />
        </div>
      )}
      <output>{count}</output>
    </Bar>
  )
}
