import { MAX_FILES } from '@guidon/contract/documents'
import CloudUpload from '@mui/icons-material/CloudUploadOutlined'
import { styled } from '@mui/material/styles'
import { useDropzone } from 'react-dropzone'
import { ACCEPTED_TYPES } from '../file-check.ts'

const Area = styled('button')(({ theme: { vars } }) => ({
  display: 'grid',
  justifyItems: 'center',
  gap: 4,
  width: '100%',
  padding: '20px 16px',
  font: 'inherit',
  color: vars.palette.text.primary,
  textAlign: 'center',
  backgroundColor: vars.palette.tint.faint,
  border: `2px dashed ${vars.palette.primary.main}`,
  borderRadius: 16,
  cursor: 'pointer',
  '&:hover, &[data-over=true]': { backgroundColor: vars.palette.tint.soft },
  '&[data-over=true]': { borderStyle: 'solid' },
  '&[aria-disabled=true]': { borderColor: vars.palette.divider, cursor: 'default' },
  '& svg': { fontSize: '2.2rem', color: vars.palette.primary.main },
  '& small': { fontSize: '0.9rem', color: vars.palette.text.secondary },
}))

interface Props {
  disabled: boolean
  /** How many more files can be added. */
  remaining: number
  onFiles: (files: File[]) => void
}

/** A drop area that is also a button, for keyboard and touch. */
export function DropArea({ disabled, remaining, onFiles }: Props) {
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    accept: ACCEPTED_TYPES,
    disabled,
    // A button handles its keys itself.
    noKeyboard: true,
    // `onFiles` checks all files, dropped or chosen.
    onDrop: (accepted, rejected) => onFiles([...accepted, ...rejected.map(({ file }) => file)]),
  })
  return (
    <div>
      <Area
        {...getRootProps({ role: 'button' })}
        type="button"
        data-over={isDragActive}
        aria-disabled={disabled}
      >
        <CloudUpload aria-hidden />
        <strong>
          {isDragActive ? 'Drop the files here' : 'Drag and drop files here, or click to choose'}
        </strong>
        <small>
          PDF or JPEG, up to {MAX_FILES} files
          {remaining < MAX_FILES && remaining > 0 && `, ${remaining} more possible`}
        </small>
      </Area>
      <input {...getInputProps({ 'aria-label': 'Files to upload' })} />
    </div>
  )
}
