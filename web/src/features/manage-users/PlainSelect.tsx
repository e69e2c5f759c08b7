import ExpandMore from '@mui/icons-material/ExpandMore'
import type { ComponentProps } from 'react'
import { SelectFrame } from '../../ui/SelectFrame.ts'

interface Props extends Omit<ComponentProps<'select'>, 'onChange'> {
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
}

/** A native select without an empty option. */
export function PlainSelect({ options, onChoose, ...select }: Props) {
  return (
    <SelectFrame>
      <select {...select} onChange={(event) => onChoose(event.target.value)}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ExpandMore aria-hidden />
    </SelectFrame>
  )
}
