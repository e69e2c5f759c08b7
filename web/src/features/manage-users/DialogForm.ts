import { styled } from '@mui/material/styles'

/** A form in a dialog, with stacked fields; an empty notice takes no space. */
export const DialogForm = styled('form')({
  '& > .MuiDialogContent-root': {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: 20,
    paddingBlock: 8,
    '& > [role]:empty': { display: 'none' },
  },
})

/** Focuses the button that replaces the pressed one. */
export const focusOnMount = (button: HTMLButtonElement | null): void => button?.focus()
