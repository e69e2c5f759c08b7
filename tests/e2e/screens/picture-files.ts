import { resolve } from 'node:path'

export const PICTURES = resolve(import.meta.dirname, '../pictures')
export const WIDTHS = [1280, 390, 320] as const
export const SCHEMES = ['light', 'dark', 'forced'] as const

interface Picture {
  screen: string
  state: string
  width: (typeof WIDTHS)[number]
  scheme: (typeof SCHEMES)[number]
}

export const pictureName = ({ screen, state, width, scheme }: Picture) =>
  `${screen}--${state}--${width}--${scheme}.png`
