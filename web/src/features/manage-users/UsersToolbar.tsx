import { role } from '@guidon/contract/account'
import { accountStatus, SEARCH_DEBOUNCE_MS } from '@guidon/contract/manage-users'
import Search from '@mui/icons-material/Search'
import { useEffect, useEffectEvent, type Ref } from 'react'
import { OutlinedInput } from '../../ui/OutlinedInput.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { withClass } from '../../ui/with-class.ts'
import { PlainSelect } from './PlainSelect.tsx'
import {
  ALL_ACCOUNTS,
  ALL_ROLES,
  ROLE_CHOICES,
  SORT_CHOICES,
  sortFromChoice,
  sortChoiceOf,
  STATUS_CHOICES,
} from './user-texts.ts'
import type { View } from './view.ts'
import css from './UsersToolbar.module.css'

const Bar = withClass('div', css['bar'])

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
        ref={searchBox}
        startAdornment={<Search aria-hidden className={css['search']} />}
        aria-label="Search users"
        maxLength={100}
        className={css['outlinedInput']}
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
            value={sortChoiceOf(view)}
            onChoose={(value) => onChange(sortFromChoice(value))}
          />
        </div>
      )}
      <output>{count}</output>
    </Bar>
  )
}
