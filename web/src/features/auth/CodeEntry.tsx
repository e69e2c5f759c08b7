import { verificationCode } from '@guidon/contract/auth'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { FieldError } from '../../ui/Field.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { firstEmptyBox, NO_DIGITS } from './code-digits.ts'
import { CodeBoxes, type CodeBoxesHandle } from './CodeBoxes.tsx'
import css from './CodeEntry.module.css'

/** The state of a form with a code. `refusal`: why the server refused the last one. */
export function useCodeEntry(refusal: Error | null, onCode: (code: string) => void) {
  const boxes = useRef<CodeBoxesHandle>(null)
  const [digits, setDigits] = useState(NO_DIGITS)
  const [submitted, setSubmitted] = useState(false)
  const parsed = verificationCode.safeParse(digits.join(''))

  // The first box gets the focus, not the heading as on other screens, so that the code can be typed at once.
  useEffect(() => boxes.current?.focus(0), [])
  useEffect(() => {
    if (refusal) boxes.current?.focus(0)
  }, [refusal])

  function submit(event: FormEvent): void {
    event.preventDefault()
    setSubmitted(true)
    if (parsed.success) onCode(parsed.data)
    else boxes.current?.focus(firstEmptyBox(digits))
  }
  return {
    boxes,
    digits,
    setDigits,
    submit,
    problem: submitted ? parsed.error?.issues[0]?.message : undefined,
    refused: refusal !== null,
  }
}

interface Props extends Omit<ReturnType<typeof useCodeEntry>, 'submit'> {
  /** Id of the text that says where the code was sent. */
  describedBy: string
}

/** The boxes of the code, with what is wrong with it. */
export function CodeEntry({ boxes, digits, setDigits, problem, refused, describedBy }: Props) {
  const id = useId()
  return (
    <div>
      <CodeBoxes
        ref={boxes}
        digits={digits}
        onChange={setDigits}
        invalid={problem !== undefined || refused}
        describedBy={`${describedBy} ${id}-hint ${id}-error`}
      />
      <Typography
        id={`${id}-hint`}
        variant="body2"
        color="textSecondary"
        className={css['pasteHint']}
      >
        You can paste the whole code into any box.
      </Typography>
      {problem !== undefined && <FieldError id={`${id}-error`}>{problem}</FieldError>}
    </div>
  )
}
