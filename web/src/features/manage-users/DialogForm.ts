import { styled } from '@mui/material/styles'

/** A form that fills a dialog: its fields under each other, an empty notice without room. */
export const DialogForm = styled('form')({
  '& > .MuiDialogContent-root': {
    display: 'grid',
    gap: 20,
    paddingBlock: 8,
    '& > [role]:empty': { display: 'none' },
  },
})

/** For the button that takes the place of the one that was pressed. */
export const focusAtOnce = (button: HTMLButtonElement | null): void => button?.focus()
