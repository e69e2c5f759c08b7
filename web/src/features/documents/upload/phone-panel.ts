import type { ComponentType } from 'react'
import type { CategoryGroup } from '../document-list.ts'

export interface PhonePanelProps {
  /** Undefined while loading. */
  categories: readonly (string | CategoryGroup)[] | undefined
  onBack: () => void
}

/** Lets a phone send the document of the dialog. A part of another feature, which the app passes in. */
export type PhonePanel = ComponentType<PhonePanelProps>
