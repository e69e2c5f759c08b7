import { sizeText } from '../../ui/size-text.ts'
import { Question } from './Question.tsx'

interface Props {
  /** Name of the current document. */
  name: string
  /** The new file, while the dialog is open. */
  file: File | undefined
  onYes: () => void
  onNo: () => void
}

export function ReplaceDialog({ name, file, onYes, onNo }: Props) {
  return (
    <Question
      open={file !== undefined}
      title="Replace this document?"
      yes="Replace"
      no="Cancel"
      onYes={onYes}
      onNo={onNo}
    >
      {file && (
        <p>
          <strong>{name}</strong> will be replaced by <strong>{file.name}</strong> (
          {sizeText(file.size)}).
        </p>
      )}
    </Question>
  )
}
