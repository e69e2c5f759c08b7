import type { ManagedUser } from '@guidon/contract/manage-users'
import MoreHoriz from '@mui/icons-material/MoreHoriz'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useId, useRef, useState } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { MAIN_ID } from '../../ui/Main.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { mayEdit } from './permissions.ts'
import { fullName } from './user-texts.ts'
import css from './UserMenu.module.css'

export type OpenDialog = (
  dialog: 'edit' | 'documents',
  user: ManagedUser,
  from: HTMLElement,
) => void

export function UserMenu({ user, onOpen }: { user: ManagedUser; onOpen: OpenDialog }) {
  const id = useId()
  const { role } = useSignedInUser()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const editable = mayEdit(role, user)

  function choose(dialog: 'edit' | 'documents'): void {
    setOpen(false)
    if (button.current) onOpen(dialog, user, button.current)
  }

  return (
    <>
      <IconButton
        ref={button}
        id={id}
        aria-label={`Actions for ${fullName(user)}`}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className={css['iconButton']}
      >
        <MoreHoriz aria-hidden />
      </IconButton>
      <Menu
        open={open}
        anchorEl={() => button.current}
        onClose={() => setOpen(false)}
        transitionDuration={0}
        // Inside the main landmark, for screen reader navigation.
        container={() => document.getElementById(MAIN_ID)}
        slotProps={{ list: { 'aria-labelledby': id } }}
      >
        <MenuItem disabled={!editable} onClick={() => choose('edit')} className={css['edit']}>
          Edit
          {!editable && (
            <Typography variant="body2" color="textSecondary">
              Only an administrator can
            </Typography>
          )}
        </MenuItem>
        <MenuItem onClick={() => choose('documents')} className={css['documents']}>
          View Documents
        </MenuItem>
      </Menu>
    </>
  )
}
