import { role } from '@guidon/contract/account'
import { SEARCH_DEBOUNCE_MS } from '@guidon/contract/manage-users'
import Search from '@mui/icons-material/Search'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDebounced } from '../../ui/use-debounced.ts'
import { PlainSelect } from './PlainSelect.tsx'
import { ALL_ROLES, ROLE_CHOICES, SORT_CHOICES, sortFromChoice, sortOf } from './user-texts.ts'
import type { View } from './view.ts'

const Bar = styled('div')(({ theme: { breakpoints, vars } }) => ({
  display: 'grid',
  gap: 12,
  '& > output': { color: vars.palette.text.secondary },
  [breakpoints.up('md')]: {
    gridTemplateColumns: '25rem 11rem auto',
    alignItems: 'center',
    '& > output': { justifySelf: 'end' },
  },
}))

interface Props {
  view: View
  onChange: (change: Partial<View>) => void
  /** For the cards, which have no column headings. */
  offersSort: boolean
  /** The count as a text. */
  count: string
}

export function UsersToolbar({ view, onChange, offersSort, count }: Props) {
  const [typed, setTyped] = useState(view.q)
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
        onChange={(event) => setTyped(event.target.value)}
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
      {offersSort && (
        <PlainSelect
          aria-label="Sort by"
          options={SORT_CHOICES}
          value={sortOf(view)}
          onChoose={(value) => onChange(sortFromChoice(value))}
        />
      )}
      <output>{count}</output>
    </Bar>
  )
}
