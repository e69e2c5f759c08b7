import type { Role } from '@guidon/contract/account'
import type { ManagedUser } from '@guidon/contract/manage-users'
import Chip from '@mui/material/Chip'
import { withClass } from '../../ui/with-class.ts'
import { INACTIVE, ROLE_NAMES } from './user-texts.ts'
import css from './RoleChips.module.css'

const COLORS = { ADMIN: 'primary', STAFF: 'secondary', USER: 'default' } as const satisfies Record<
  Role,
  string
>

const RoleChip = withClass(Chip, css['roleChip'])

const Row = withClass('span', css['row'])

/** The role, and a chip for an inactive account. */
export function RoleChips({ role, isActive }: Pick<ManagedUser, 'role' | 'isActive'>) {
  return (
    <Row>
      <RoleChip color={COLORS[role]} label={ROLE_NAMES[role]} />
      {!isActive && <RoleChip variant="outlined" label={INACTIVE} />}
    </Row>
  )
}
