import ArrowDownward from '@mui/icons-material/ArrowDownward'
import ArrowUpward from '@mui/icons-material/ArrowUpward'
import Close from '@mui/icons-material/Close'
import RotateRight from '@mui/icons-material/RotateRight'
import Button, { type ButtonProps } from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { Thumbnail } from '../Thumbnail.tsx'
import type { ChosenPhoto } from './use-photo-pages.ts'

const Row = styled(Paper)({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: '4px 16px',
  alignItems: 'center',
  padding: 12,
})

const Buttons = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  margin: '4px 0 0 -12px',
  '& > button': { minWidth: 44, minHeight: 44, padding: '4px 12px', fontSize: '0.9rem' },
  '& > button[aria-disabled=true]': { opacity: 0.55, cursor: 'default' },
})

const Name = styled('div')(({ theme: { vars } }) => ({
  fontSize: '0.9rem',
  overflowWrap: 'anywhere',
  color: vars.palette.text.secondary,
}))

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
      <Row variant="outlined">
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
