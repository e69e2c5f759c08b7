import type { Document } from '@guidon/contract/documents'
import { brand } from '../ui/brand.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const load = async () => (await import('../features/viewing/FileButtons.tsx')).FileButtons

function fileButtons() {
  const FileButtons = lazyPart(load)
  return {
    own: ({ id, name }: Document) => <FileButtons id={id} name={name} />,
    ofVeteran: (userId: string, { id, name }: Document) => (
      <FileButtons id={id} name={name} userId={userId} />
    ),
  }
}

/** Buttons that open the file of a document. None if the provider has not switched viewing on. */
export const { own: ownFileButtons, ofVeteran: fileButtonsOf } = brand.documentViewing
  ? fileButtons()
  : { own: undefined, ofVeteran: undefined }
