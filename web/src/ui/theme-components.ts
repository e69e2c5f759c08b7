import type { CssVarsThemeOptions } from '@mui/material/styles'

/** Overrides for MUI components. The portal's own components have a `.module.css` file beside them. */
export const components: NonNullable<CssVarsThemeOptions['components']> = {
  MuiButtonBase: { defaultProps: { disableRipple: true } },
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
}
