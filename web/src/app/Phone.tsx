import { FILE_INPUT_ACCEPT, refusalMessage } from '../features/documents/file-check.ts'
import { PhotoJoiner } from '../features/documents/photos/PhotoJoiner.tsx'
import { UploadProgress } from '../features/documents/UploadProgress.tsx'
import { PhonePage } from '../features/hand-off/PhonePage.tsx'

export function Phone() {
  return (
    <PhonePage
      accept={FILE_INPUT_ACCEPT}
      check={refusalMessage}
      renderPhotos={(props) => <PhotoJoiner {...props} takenNames={[]} onPhone />}
      renderProgress={({ sentFraction, name }) => (
        <UploadProgress sent={{ sentFraction, wait: undefined }} name={name} />
      )}
    />
  )
}
