import ExpandMore from '@mui/icons-material/ExpandMore'
import { useId, useState, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import css from './Disclosure.module.css'

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
        endIcon={<ExpandMore aria-hidden />}
        className={css['button']}
      >
        {label}
      </Button>
      <div id={id}>{open && children}</div>
    </div>
  )
}
