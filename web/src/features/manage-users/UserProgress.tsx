import ExpandMore from '@mui/icons-material/ExpandMore'
import Button from '@mui/material/Button'
import { useId, useState } from 'react'
import type { UserParts } from './user-parts.ts'

interface Props extends Pick<UserParts, 'progressOf'> {
  userId: string
}

/** Loads only when it is opened, because each view is audited. */
export function UserProgress({ userId, progressOf }: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    <div>
      <Button
        variant="text"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        endIcon={<ExpandMore aria-hidden sx={{ transform: open ? 'rotate(180deg)' : 'none' }} />}
        sx={{ ml: -3 }}
      >
        To-do list and claims
      </Button>
      <div id={id}>{open && progressOf(userId)}</div>
    </div>
  )
}
