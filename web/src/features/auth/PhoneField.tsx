import { useRef, type ChangeEvent } from 'react'
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx'
import { caretInDigits, phoneDigits } from './phone-digits.ts'

/** Accepts a number in any format, and keeps its digits. */
export function PhoneField({ onChange, ...field }: TextFieldProps) {
  const before = useRef('')

  function change(event: ChangeEvent<HTMLInputElement>): void {
    const input = event.target
    const digits = phoneDigits(input.value, before.current)
    if (digits !== input.value) {
      const caret = caretInDigits(input.value, input.selectionStart ?? input.value.length)
      input.value = digits
      input.setSelectionRange(caret, caret)
    }
    before.current = digits
    onChange?.(event)
  }

  return (
    <TextField
      {...field}
      onFocus={({ target }) => (before.current = target.value)}
      onChange={change}
      type="tel"
      inputMode="tel"
      autoComplete="tel-national"
    />
  )
}
