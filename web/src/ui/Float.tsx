import { styled } from '@mui/material/styles'

/** Holds notices over the screen's lower edge, in nobody's way. */
export const Float = styled('div', { shouldForwardProp: (name) => name !== 'aboveMenu' })<{
  /** Where phones have a menu there. */
  aboveMenu?: boolean
}>(({ aboveMenu, theme: { breakpoints } }) => ({
  position: 'fixed',
  insetInline: 16,
  bottom: 24,
  zIndex: 1400,
  display: 'grid',
  justifyItems: 'center',
  pointerEvents: 'none',
  '& > div > div': { boxShadow: '0 6px 24px rgb(11 34 57 / 25%)' },
  ...(aboveMenu && {
    [breakpoints.down('md')]: { bottom: 'calc(92px + env(safe-area-inset-bottom))' },
  }),
}))
