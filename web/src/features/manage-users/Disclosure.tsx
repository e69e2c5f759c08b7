import ExpandMore from '@mui/icons-material/ExpandMore'
import Button from '@mui/material/Button'
import { useId, useState, type ReactNode } from 'react'

/** Its content loads only when it is opened, because each view is audited. */
export function Disclosure({ label, children }: { label: string; children: ReactNode }) {
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
        {label}
      </Button>
      <div id={id}>{open && children}</div>
    </div>
  )
}
