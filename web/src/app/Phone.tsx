import { FILE_INPUT_ACCEPT, refusalMessage } from '../features/documents/file-check.ts'
import { PhotoJoiner } from '../features/documents/photos/PhotoJoiner.tsx'
import { uniquePhotoName } from '../features/documents/unique-photo-name.ts'
import { waitOf } from '../features/documents/upload/sending.ts'
import { UploadProgress } from '../features/documents/UploadProgress.tsx'
import { withoutCameraData } from '../features/documents/without-camera-data.ts'
import { PhonePage } from '../features/hand-off/PhonePage.tsx'

export function Phone() {
  return (
    <PhonePage
      accept={FILE_INPUT_ACCEPT}
      prepare={async (file) => uniquePhotoName(await withoutCameraData(file))}
      check={refusalMessage}
      renderPhotos={(props) => <PhotoJoiner {...props} takenNames={[]} onPhone />}
      renderProgress={({ sentFraction, failure, name }) => (
        <UploadProgress
          sent={{ sentFraction, wait: failure && waitOf(failure, sentFraction) }}
          name={name}
        />
      )}
    />
  )
}
