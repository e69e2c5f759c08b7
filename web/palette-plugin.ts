import type { Plugin } from 'vite'
import { dark, light } from './src/ui/palette.ts'

const ID = 'virtual:palette.css'

/** The colours as CSS variables, with the names that MUI gives them, so that the first paint needs no script. */
export function paletteVariables(): Plugin {
  const css = `:root{${variablesOf(light)}}@media (prefers-color-scheme:dark){:root{${variablesOf(dark)}}}`
  return {
    name: 'guidon:palette',
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load: (id) => (id === `\0${ID}` ? css : null),
  }
}

function variablesOf(colours: object, name = '--gd-palette'): string {
  return Object.entries(colours)
    .map(([key, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? variablesOf(value, `${name}-${key}`)
        : `${name}-${key}:${String(value)};`,
    )
    .join('')
}
