import { handOff } from '../features/hand-off/feature.ts'
import type { Feature } from '../ui/feature.ts'

/** Features whose screens no other screen leads to. Their routes are not part of the first load. */
export const laterFeatures: readonly Feature[] = [
  handOff(async () => (await import('./Phone.tsx')).Phone),
]
