import { inject, vi } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm run prove -- <name>` runs a proof at full size, with `--small` a small version of it. */
    proof: 'small' | 'full'
    /** A revision to run the same proof on for comparison; empty for none. */
    control: string
  }
}

export const isFullSize = inject('proof') === 'full'

/** The first number at the small size, the second at full size. */
export function smallOrFull(small: number, full: number): number {
  return isFullSize ? full : small
}

/** A limit of a response time. A small run is tried beside other work, so there it only shows that nothing hangs. */
export function timeLimit(full: number): number {
  return smallOrFull(5 * full, full)
}

/** Options of a test that takes many minutes at any size, or needs more than the tools of the gate. */
export const fullSizeOnly = { skip: !isFullSize }

vi.setConfig({ testTimeout: smallOrFull(300_000, 3_600_000) })
