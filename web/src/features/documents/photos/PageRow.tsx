import ArrowDownward from '@mui/icons-material/ArrowDownward'
import ArrowUpward from '@mui/icons-material/ArrowUpward'
import Close from '@mui/icons-material/Close'
import RotateRight from '@mui/icons-material/RotateRight'
import { Button, type ButtonProps } from '../../../ui/Button.tsx'
import { Paper } from '../../../ui/Paper.tsx'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import { Thumbnail } from '../Thumbnail.tsx'
import type { ChosenPhoto } from './use-photo-pages.ts'
import css from './PageRow.module.css'

const Row = withClass(Paper, css['row'])

const Buttons = withClass('div', css['buttons'])

const Name = withClass('div', css['name'])

interface Props {
  page: ChosenPhoto
  number: number
  last: boolean
  onMove: (step: -1 | 1, button: HTMLElement) => void
  onTurn: () => void
  onRemove: () => void
}

export function PageRow({ page: { file, turn }, number, last, onMove, onTurn, onRemove }: Props) {
  return (
    <li>
      <Row>
        <Thumbnail file={file} turn={turn} large />
        <div>
          <strong>Page {number}</strong>
          <Name>{file.name}</Name>
          <Buttons>
            <PageButton
              number={number}
              label="Up"
              startIcon={<ArrowUpward aria-hidden />}
              // Not disabled at the ends, because a focused button would lose the focus.
              aria-disabled={number === 1}
              onClick={({ currentTarget }) => onMove(-1, currentTarget)}
            />
            <PageButton
              number={number}
              label="Down"
              startIcon={<ArrowDownward aria-hidden />}
              aria-disabled={last}
              onClick={({ currentTarget }) => onMove(1, currentTarget)}
            />
            <PageButton
              number={number}
              label="Turn"
              startIcon={<RotateRight aria-hidden />}
              onClick={onTurn}
            />
            <PageButton
              number={number}
              label="Remove"
              data-remove
              startIcon={<Close aria-hidden />}
              onClick={onRemove}
            />
          </Buttons>
        </div>
      </Row>
    </li>
  )
}

function PageButton({
  number,
  label,
  ...button
}: ButtonProps & { number: number; label: string; 'data-remove'?: boolean }) {
  return (
    <Button variant="text" {...button}>
      {label} <VisuallyHidden>page {number}</VisuallyHidden>
    </Button>
  )
}
