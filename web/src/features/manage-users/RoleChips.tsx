import type { Role } from '@guidon/contract/account'
import type { ManagedUser } from '@guidon/contract/manage-users'
import Chip from '@mui/material/Chip'
import { styled } from '@mui/material/styles'
import { INACTIVE, ROLE_NAMES } from './user-texts.ts'

const COLOURS = { ADMIN: 'primary', STAFF: 'secondary', USER: 'default' } as const satisfies Record<
  Role,
  string
>

const RoleChip = styled(Chip)(({ theme: { vars } }) => ({
  height: '1.6rem',
  fontWeight: 700,
  fontSize: '0.8rem',
  // The primary fill is light blue with dark text.
  '&.MuiChip-colorPrimary': {
    color: vars.palette.fill.ink,
    backgroundColor: vars.palette.fill.main,
  },
  '&.MuiChip-outlined': { borderColor: vars.palette.field },
  '@media (forced-colors: active)': { border: '1px solid' },
}))

const Row = styled('span')({ display: 'inline-flex', flexWrap: 'wrap', gap: 6 })

/** The role, and a chip for an inactive account. */
export function RoleChips({ role, isActive }: Pick<ManagedUser, 'role' | 'isActive'>) {
  return (
    <Row>
      <RoleChip color={COLOURS[role]} label={ROLE_NAMES[role]} />
      {!isActive && <RoleChip variant="outlined" label={INACTIVE} />}
    </Row>
  )
}
