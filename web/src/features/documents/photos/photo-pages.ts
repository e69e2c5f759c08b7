import { localLongDate } from '../../../ui/dates.ts'
import { freeName } from '../upload/free-name.ts'
import type { Turn } from './photos-pdf.ts'

interface Page {
  key: string
  turn: Turn
}

/** Moves a page up (-1) or down (1); at an end it stays. */
export function movePage<P extends Page>(pages: readonly P[], key: string, step: -1 | 1): P[] {
  const from = pages.findIndex((page) => page.key === key)
  const to = from + step
  if (from === -1 || to < 0 || to >= pages.length) return [...pages]
  const changed = [...pages]
  ;[changed[from], changed[to]] = [changed[to]!, changed[from]!]
  return changed
}

/** Turns a page by a quarter, clockwise. */
export function turnPage<P extends Page>(pages: readonly P[], key: string): P[] {
  return pages.map((page) =>
    page.key === key ? { ...page, turn: ((page.turn + 90) % 360) as Turn } : page,
  )
}

/** The typed name with the extension .pdf. */
export function pdfName(typed: string): string {
  const name = typed
    .trim()
    .replace(/\.pdf$/i, '')
    .trim()
  return `${name === '' ? 'Photos' : name}.pdf`
}

/** `Photos November 15, 2026`, with a number from the second PDF of a day on. */
export function photosName(now: Date, taken: readonly string[]): string {
  return freeName(pdfName(`Photos ${localLongDate(now)}`), taken).replace(/\.pdf$/, '')
}

/** Whether the name may come from `photosName`; the page of a phone adds a time to it. */
export const isPhotosName = (name: string): boolean => /^Photos .*\.pdf$/i.test(name)
