import { PAGE_SIZES } from '@guidon/contract/manage-users'
import ChevronLeft from '@mui/icons-material/ChevronLeft'
import ChevronRight from '@mui/icons-material/ChevronRight'
import IconButton from '@mui/material/IconButton'
import { useId, type ReactNode } from 'react'
import { withClass } from '../../ui/with-class.ts'
import { PlainSelect } from './PlainSelect.tsx'
import css from './Pager.module.css'

const Bar = withClass('nav', css['bar'])

const SIZES = PAGE_SIZES.map((size) => ({ value: String(size), label: String(size) }))

interface Props {
  size: number
  onSize: (size: number) => void
  /** `11–20 of 23` */
  range: string
  onBack: (() => void) | undefined
  onForward: (() => void) | undefined
}

export function Pager({ size, onSize, range, onBack, onForward }: Props) {
  const id = useId()
  return (
    <Bar aria-label="Pages">
      <label htmlFor={id}>Rows per page:</label>
      <PlainSelect
        id={id}
        options={SIZES}
        value={String(size)}
        onChoose={(chosen) => onSize(Number(chosen))}
      />
      <span>{range}</span>
      <span>
        <PageButton label="Previous page" onPress={onBack}>
          <ChevronLeft aria-hidden />
        </PageButton>
        <PageButton label="Next page" onPress={onForward}>
          <ChevronRight aria-hidden />
        </PageButton>
      </span>
    </Bar>
  )
}

interface PageButtonProps {
  label: string
  onPress: (() => void) | undefined
  children: ReactNode
}

/** Not disabled at the ends: a focused button that becomes disabled loses the focus. */
function PageButton({ label, onPress, children }: PageButtonProps) {
  return (
    <IconButton
      aria-label={label}
      aria-disabled={onPress === undefined}
      onClick={onPress}
      className={css['iconButton']}
    >
      {children}
    </IconButton>
  )
}
