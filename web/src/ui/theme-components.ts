import type { CssVarsThemeOptions } from '@mui/material/styles'

export const components: NonNullable<CssVarsThemeOptions['components']> = {
  MuiCssBaseline: {
    styleOverrides: ({ vars }) => ({
      body: { overflowWrap: 'break-word' },
      p: { margin: 0 },
      ':focus-visible': {
        outline: `3px solid ${vars.palette.primary.main}`,
        outlineOffset: 2,
        borderRadius: 4,
      },
      // A heading takes the focus for screen readers only; it is not interactive.
      'h1:focus': { outline: 'none' },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': {
          scrollBehavior: 'auto',
          transitionDuration: '0.01ms !important',
        },
      },
    }),
  },
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { variant: 'contained', disableElevation: true },
    styleOverrides: {
      root: {
        minHeight: 48,
        padding: '8px 24px',
        whiteSpace: 'nowrap',
        border: '1px solid',
        // A phone with large text: `em` is the size of text in the settings of the browser.
        '@media (max-width: 22em)': { whiteSpace: 'normal' },
      },
      contained: ({ theme: { vars } }) => ({
        color: vars.palette.fill.ink,
        backgroundColor: vars.palette.fill.main,
        borderColor: vars.palette.fill.edge,
        '&:hover': { backgroundColor: vars.palette.fill.hover },
        '&:active': { backgroundColor: vars.palette.fill.active },
        // Readable contrast for disabled buttons too.
        '&.Mui-disabled': {
          color: vars.palette.text.secondary,
          backgroundColor: vars.palette.background.default,
          borderColor: vars.palette.divider,
        },
      }),
      outlined: ({ theme: { vars } }) => ({
        color: vars.palette.primary.main,
        backgroundColor: vars.palette.background.paper,
        borderColor: vars.palette.primary.main,
        '&:hover': { backgroundColor: vars.palette.tint.soft },
      }),
      text: { borderColor: 'transparent' },
      // In `em`, to grow with the text.
      startIcon: { '& > *:nth-of-type(1)': { fontSize: '1.25em' } },
    },
  },
  MuiLink: {
    defaultProps: { underline: 'hover' },
    styleOverrides: {
      root: ({ theme: { vars } }) => ({
        fontWeight: 700,
        fontSize: '0.9rem',
        color: vars.palette.primary.main,
        '&:hover': { color: vars.palette.primary.dark },
      }),
    },
  },
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme: { vars } }) => ({
        backgroundColor: vars.palette.background.paper,
        '&.Mui-focused': { boxShadow: `0 0 0 4px ${vars.palette.tint.halo}` },
        '&:hover:not(.Mui-error, .Mui-focused) .MuiOutlinedInput-notchedOutline': {
          borderColor: vars.palette.text.primary,
        },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': {
          borderColor: vars.palette.primary.main,
        },
        '&.Mui-error .MuiOutlinedInput-notchedOutline': { borderWidth: 2 },
        // Forced colours remove the shadow, and an invalid field would look like the focused one.
        '@media (forced-colors: active)': {
          '&.Mui-focused': { outline: '3px solid Highlight', outlineOffset: 2 },
        },
      }),
      notchedOutline: ({ theme: { vars } }) => ({ borderColor: vars.palette.field }),
      input: ({ theme: { vars } }) => ({
        height: 'auto',
        padding: '12px 16px',
        lineHeight: 1.6,
        '&:focus-visible': { outline: 'none' },
        '&::placeholder': { opacity: 1, color: vars.palette.text.secondary },
      }),
    },
  },
  MuiDialog: {
    styleOverrides: {
      paper: ({ theme: { vars } }) => ({
        margin: 16,
        borderRadius: 16,
        // Replaces the library's lighter overlay in the dark scheme with a border, as on every card.
        backgroundImage: 'none',
        border: `1px solid ${vars.palette.divider}`,
      }),
    },
  },
  MuiDialogTitle: {
    styleOverrides: { root: { padding: '24px 24px 8px', fontSize: '1.3rem', fontWeight: 750 } },
  },
  MuiDialogActions: {
    styleOverrides: {
      root: ({ theme: { breakpoints } }) => ({
        flexWrap: 'wrap',
        gap: 12,
        padding: '8px 24px 24px',
        [breakpoints.down('sm')]: { '& > button': { flex: '1 1 auto' } },
      }),
    },
    defaultProps: { disableSpacing: true },
  },
  MuiPaper: {
    styleOverrides: {
      outlined: ({ theme: { vars } }) => ({
        borderRadius: 16,
        borderColor: vars.palette.divider,
      }),
    },
  },
}
