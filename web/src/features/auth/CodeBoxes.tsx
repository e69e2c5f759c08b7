import { CODE_DIGITS } from '@guidon/contract/limits'
import { useImperativeHandle, useRef, type KeyboardEvent, type Ref } from 'react'
import { flushSync } from 'react-dom'
import { Field } from '../../ui/Field.tsx'
import { withClass } from '../../ui/with-class.ts'
import {
  enterDigits,
  eraseDigit,
  boxAfterKey,
  replacingDigit,
  type Digits,
  type DigitsChange,
} from './code-digits.ts'
import css from './CodeBoxes.module.css'

const Boxes = withClass('div', css['boxes'])

const NAMES = Array.from({ length: CODE_DIGITS }, (_, at) => `Digit ${at + 1} of ${CODE_DIGITS}`)

export interface CodeBoxesHandle {
  focus: (box: number) => void
}

interface Props {
  digits: Digits
  onChange: (digits: Digits) => void
  invalid: boolean
  /** Ids of the texts that explain the boxes. */
  describedBy: string
  ref?: Ref<CodeBoxesHandle>
}

export function CodeBoxes({ digits, onChange, invalid, describedBy, ref }: Props) {
  const boxes = useRef<(HTMLInputElement | null)[]>([])

  function focus(box: number): void {
    boxes.current[box]?.focus()
    boxes.current[box]?.select()
  }
  useImperativeHandle(ref, () => ({ focus }))

  function applyChange(change: DigitsChange): void {
    // Synchronous, so that the focus moves before the next digit of a fast typist.
    flushSync(() => onChange(change.digits))
    focus(change.focus)
  }

  function press(event: KeyboardEvent, box: number): void {
    const target = boxAfterKey(box, event.key)
    if (event.key !== 'Backspace' && target === undefined) return
    event.preventDefault()
    if (target === undefined) applyChange(eraseDigit(digits, box))
    else focus(target)
  }

  return (
    <Field as="fieldset" className={css['field']} aria-describedby={describedBy}>
      <legend>Verification code</legend>
      <Boxes>
        {NAMES.map((name, box) => (
          <input
            key={name}
            ref={(input) => {
              boxes.current[box] = input
            }}
            value={digits[box]}
            // No maxlength, which would cut a pasted or autofilled code to its first digit.
            autoComplete="one-time-code"
            inputMode="numeric"
            aria-label={name}
            aria-invalid={invalid}
            onFocus={(event) => event.target.select()}
            onClick={(event) => event.currentTarget.select()}
            onKeyDown={(event) => press(event, box)}
            onPaste={(event) => {
              event.preventDefault()
              applyChange(enterDigits(digits, box, event.clipboardData.getData('text')))
            }}
            // Not onChange, which does not fire when a digit is replaced by the same digit.
            onInput={({ currentTarget: { value } }) =>
              applyChange(
                value === ''
                  ? eraseDigit(digits, box)
                  : enterDigits(digits, box, replacingDigit(digits[box], value)),
              )
            }
            onChange={() => {}}
          />
        ))}
      </Boxes>
    </Field>
  )
}
