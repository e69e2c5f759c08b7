import { useRef } from 'react'
import { useScreenFocus } from './use-screen-focus.ts'
import { withClass } from './with-class.ts'
import css from './LoadingText.module.css'

const Text = withClass('output', css['text'])

/** Takes the focus while the screen loads. Then the heading of the screen takes it. */
export function LoadingText() {
  const text = useRef<HTMLOutputElement>(null)
  useScreenFocus(text)
  return (
    <Text ref={text} tabIndex={-1}>
      Loading…
    </Text>
  )
}
