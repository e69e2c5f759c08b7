import { styled } from '@mui/material/styles'

/** Places notices above the lower edge of the screen. Clicks beside a notice reach the page. */
export const FloatingNotices = styled('div', {
  shouldForwardProp: (name) => name !== 'aboveMenu',
})<{
  /** For pages whose menu is at the bottom of a phone. */
  aboveMenu?: boolean
}>(({ aboveMenu, theme: { breakpoints } }) => ({
  position: 'fixed',
  insetInline: 16,
  bottom: 24,
  zIndex: 1400,
  display: 'grid',
  justifyItems: 'center',
  pointerEvents: 'none',
  '& > div > div': {
    pointerEvents: 'auto',
    boxShadow: '0 6px 24px rgb(11 34 57 / 25%)',
  },
  ...(aboveMenu && {
    [breakpoints.down('md')]: { bottom: 'calc(92px + env(safe-area-inset-bottom))' },
  }),
}))
