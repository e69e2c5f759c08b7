import { documentNote, NOTE_MAX } from '@guidon/contract/documents'
import AddComment from '@mui/icons-material/AddCommentOutlined'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import css from './NoteField.module.css'

/**
 * Numbers of remaining characters at which a screen reader says how many are left. The visible counter appears at the
 * largest.
 */
const SPOKEN_LEFT = [0, 20, 50, 100]

const Counter = withClass('p', css['counter'])

/** Of a pasted text, line breaks and other characters that the server refuses become spaces. */
export function fittingNote(text: string): string {
  const cut = text.normalize().slice(0, NOTE_MAX)
  if (documentNote.safeParse(cut).success) return cut
  // Inside a text, because a space is not valid at its ends.
  const isValid = (character: string) => documentNote.safeParse(`a${character}b`).success
  return Array.from(cut, (character) => (isValid(character) ? character : ' ')).join('')
}

interface Props {
  fileName: string
  value: string
  onChange: (note: string) => void
}

/** A note for the provider's staff, shown once it is wanted. */
export function NoteField({ fileName, value, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(value !== '')
  const left = NOTE_MAX - value.length
  const spoken = SPOKEN_LEFT.find((limit) => left <= limit)

  function show(): void {
    flushSync(() => setOpen(true))
    input.current?.focus()
  }

  if (!open)
    return (
      <Button
        variant="text"
        startIcon={<AddComment aria-hidden />}
        onClick={show}
        className={css['button']}
      >
        Add a note (optional) <VisuallyHidden>about {fileName}</VisuallyHidden>
      </Button>
    )
  return (
    <div>
      <TextField
        ref={input}
        label="Note (optional)"
        aria-label={`Note (optional) about ${fileName}`}
        hint="For example: Page 3 is the important one."
        multiline
        value={value}
        onChange={(event) => onChange(fittingNote(event.target.value))}
      />
      {spoken !== undefined && (
        <Counter aria-hidden>
          {left} {left === 1 ? 'character' : 'characters'} left
        </Counter>
      )}
      <VisuallyHidden as="output">
        {spoken !== undefined &&
          (spoken === 0 ? 'No characters left' : `${spoken} characters or fewer left`)}
      </VisuallyHidden>
    </div>
  )
}
