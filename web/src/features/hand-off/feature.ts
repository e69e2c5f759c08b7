import { screens } from '@guidon/contract/screens'
import type { ComponentType } from 'react'
import { feature } from '../../ui/feature.ts'

/** The page takes photos with a part of another feature, so the app composes it and passes it in. */
export const handOff = (load: () => Promise<ComponentType>) =>
  feature({ name: 'hand-off', routes: [{ path: screens.phone, load }] })
