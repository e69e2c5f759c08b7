import { MAX_FILES } from '@guidon/contract/documents'
import CloudUpload from '@mui/icons-material/CloudUploadOutlined'
import { useDropzone } from 'react-dropzone'
import { useMediaQuery } from '../../../ui/use-media-query.ts'
import { ACCEPTED_TYPES } from '../file-check.ts'
import { ChoiceButton } from './ChoiceButton.ts'

interface Props {
  /** For a document that the provider requested: it takes one file. */
  single: boolean
  /** How many more files can be added. */
  remaining: number
  onFiles: (files: File[]) => void
}

/** A drop area that is also a button, for keyboard and touch. */
export function DropArea({ single, remaining, onFiles }: Props) {
  const touch = useMediaQuery('(pointer: coarse)')
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    accept: ACCEPTED_TYPES,
    multiple: !single,
    // A button handles its keys itself.
    noKeyboard: true,
    // `onFiles` checks all files, dropped or chosen.
    onDrop: (accepted, rejected) => onFiles([...accepted, ...rejected.map(({ file }) => file)]),
  })
  const invitation = single
    ? 'Choose a file'
    : touch
      ? 'Choose files'
      : 'Drag and drop files here, or click to choose'
  return (
    <div>
      <ChoiceButton {...getRootProps({ role: 'button' })} type="button" data-over={isDragActive}>
        <CloudUpload aria-hidden />
        <strong>{isDragActive ? 'Drop the files here' : invitation}</strong>
        {single ? (
          <small>PDF or JPEG{!touch && '. You can also drag and drop it here.'}</small>
        ) : (
          <small>
            PDF or JPEG, up to {MAX_FILES} files
            {remaining < MAX_FILES && remaining > 0 && `, ${remaining} more possible`}
          </small>
        )}
      </ChoiceButton>
      <input {...getInputProps({ 'aria-label': 'Files to upload' })} />
    </div>
  )
}
