import { useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { sizeText } from '../../ui/size-text.ts'
import { Question } from './Question.tsx'

const NoteField = lazyPart(async () => (await import('./upload/NoteField.tsx')).NoteField)

interface Props {
  /** Name of the current document. */
  name: string
  /** The new file, while the dialog is open. */
  file: File | undefined
  onYes: (note: string) => void
  onNo: () => void
}

export function ReplaceDialog({ name, file, onYes, onNo }: Props) {
  const [note, setNote] = useState('')

  /** The next file gets a new note. */
  function close(answer: () => void): void {
    setNote('')
    answer()
  }

  return (
    <Question
      open={file !== undefined}
      title="Replace this document?"
      yes="Replace"
      no="Cancel"
      onYes={() => close(() => onYes(note))}
      onNo={() => close(onNo)}
      field={file && <NoteField fileName={file.name} value={note} onChange={setNote} />}
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
