import { styled, type Theme } from '@mui/material/styles'

/** A row of a list: an icon or number, text, and a button, which on narrow screens is below the text. */
export const ActionRow = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: '12px 16px',
  padding: '16px 20px',
  '@container (max-width: 30rem)': {
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    padding: 16,
    '& > [data-part=actions]': { gridColumn: '1 / -1', '& > *': { flex: 1 } },
  },
})

/** The buttons of a row; use it with `data-part="actions"`. */
export const RowActions = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 8,
  '& > *': { minWidth: '7.2rem' },
})

/** The list around the rows. */
export const rowList = ({ vars }: Theme) =>
  ({
    margin: 0,
    padding: 0,
    listStyle: 'none',
    containerType: 'inline-size',
    '& > li + li': { borderTop: `1px solid ${vars.palette.divider}` },
  }) as const
