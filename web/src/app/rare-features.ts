import { consents } from '../features/consents/feature.ts'
import { handOff } from '../features/hand-off/feature.ts'
import { notMe } from '../features/not-me/feature.ts'
import { notices } from '../features/notices/feature.ts'
import type { Feature } from '../ui/feature.ts'

/** Features with screens that few people open. Their routes are not part of the first load. */
export const rareFeatures: readonly Feature[] = [
  consents,
  notices,
  notMe,
  handOff(async () => (await import('./Phone.tsx')).Phone),
]
