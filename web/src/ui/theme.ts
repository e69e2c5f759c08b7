import { createTheme } from '@mui/material/styles'
import { dark, light } from './palette.ts'
import { components } from './theme-components.ts'

export const theme = createTheme({
  // By media query only: no script sets the scheme, so nothing flashes.
  cssVariables: { colorSchemeSelector: 'media', cssVarPrefix: 'gd' },
  colorSchemes: { light: { palette: light }, dark: { palette: dark } },
  shape: { borderRadius: 8 },
  motion: { reducedMotion: 'system' },
  focusVisible: { outlineWidth: 3, outlineOffset: 2 },
  typography: {
    htmlFontSize: 18,
    fontFamily: "'Public Sans Variable', 'Public Sans', system-ui, 'Segoe UI', Arial, sans-serif",
    fontWeightMedium: 600,
    h1: {
      fontSize: 'clamp(1.7rem, 1.2rem + 1.6vw, 2.2rem)',
      fontWeight: 750,
      lineHeight: 1.2,
      letterSpacing: '-0.015em',
    },
    h2: { fontSize: '1.2rem', fontWeight: 700, lineHeight: 1.3 },
    h3: { fontSize: '1.05rem', fontWeight: 700, lineHeight: 1.4 },
    body1: { fontSize: '1rem', lineHeight: 1.55 },
    body2: { fontSize: '0.9rem', lineHeight: 1.5 },
    button: { fontSize: '1rem', fontWeight: 700, lineHeight: 1.5, textTransform: 'none' },
  },
  components,
})
