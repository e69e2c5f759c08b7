import type { PaletteOptions } from '@mui/material/styles'

/** Background and border of a notice. */
interface Tone {
  ground: string
  edge: string
}

interface OwnPalette {
  /** Light-blue button in both schemes, and its text colour. */
  fill: { main: string; hover: string; active: string; ink: string; edge: string }
  tint: { faint: string; soft: string; halo: string }
  field: string
  badge: { ground: string; ink: string }
  tone: { success: Tone; warning: Tone; error: Tone; info: Tone }
}

declare module '@mui/material/styles' {
  interface Palette extends OwnPalette {}
  interface PaletteOptions extends OwnPalette {}
}

// No light blue reaches 4.5:1 as text on white, so light blue fills have dark text and links a deeper shade.
const fill = {
  main: '#8FD0F8',
  hover: '#6CC1F4',
  active: '#49AFEB',
  ink: '#0B2239',
  edge: '#006BAC',
}

export const light: PaletteOptions = {
  primary: { main: '#006BAC', dark: '#005A94', contrastText: '#FFFFFF' },
  secondary: { main: '#005A94', contrastText: '#FFFFFF' },
  success: { main: '#146C43' },
  warning: { main: '#7A4B00' },
  error: { main: '#B3261E' },
  text: { primary: '#0B2239', secondary: '#3F5468' },
  background: { default: '#F4F8FB', paper: '#FFFFFF' },
  divider: '#D6E2EC',
  fill,
  tint: { faint: '#EFF8FE', soft: '#DDF1FD', halo: '#BDE3FB' },
  field: '#6A7F93',
  badge: { ground: '#005A94', ink: '#FFFFFF' },
  tone: {
    success: { ground: '#E6F5EC', edge: '#8FC3A6' },
    warning: { ground: '#FFF4DC', edge: '#D9B978' },
    error: { ground: '#FDECEA', edge: '#DE9A95' },
    info: { ground: '#EFF8FE', edge: '#8CC0E0' },
  },
}

export const dark: PaletteOptions = {
  primary: { main: '#8FD0F8', dark: '#BDE3FB', contrastText: '#0B2239' },
  secondary: { main: '#BDE3FB', contrastText: '#0B2239' },
  success: { main: '#7ED6A5' },
  warning: { main: '#FFC66B' },
  error: { main: '#FFB4AB' },
  text: { primary: '#EAF3FA', secondary: '#B4C7D8' },
  background: { default: '#0B1722', paper: '#122433' },
  divider: '#2C4459',
  fill,
  tint: { faint: '#152C3F', soft: '#1A3145', halo: '#2F6690' },
  field: '#8AA1B5',
  badge: { ground: '#BDE3FB', ink: '#0B2239' },
  tone: {
    success: { ground: '#12352A', edge: '#2F6B50' },
    warning: { ground: '#3A2C10', edge: '#7A5E22' },
    error: { ground: '#3D1A1A', edge: '#8A4642' },
    info: { ground: '#152C3F', edge: '#2F5F82' },
  },
}
