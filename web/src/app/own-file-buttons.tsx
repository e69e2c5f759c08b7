import type { Document } from '@guidon/contract/documents'
import { brand } from '../ui/brand.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const FileButtons = brand.documentViewing
  ? lazyPart(async () => (await import('../features/viewing/FileButtons.tsx')).FileButtons)
  : undefined

/** Buttons that open the file of a document. Undefined if the provider has not switched viewing on. */
export const ownFileButtons =
  FileButtons && (({ id, name }: Document) => <FileButtons id={id} name={name} />)
