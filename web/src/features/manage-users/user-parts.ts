import type { StaffDocument } from '@guidon/contract/documents'
import type { ReactNode } from 'react'

/** Parts of other features, which the app passes in. */
export interface UserParts {
  /** What the veteran has to do, and where the claims stand. */
  progressOf: (userId: string) => ReactNode
  /** Which emails were sent to the account. */
  emailsOf: (userId: string) => ReactNode
  /** Opens the file of a document; undefined if viewing is disabled. */
  fileButtonsOf?: ((userId: string, document: StaffDocument) => ReactNode) | undefined
}
