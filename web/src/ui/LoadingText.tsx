import { styled } from '@mui/material/styles'
import { useRef } from 'react'
import { useScreenFocus } from './use-screen-focus.ts'

const Text = styled('output')({ '&:focus': { outline: 'none' } })

/** Keeps the focus until the screen is loaded and its heading takes it. */
export function LoadingText() {
  const text = useRef<HTMLOutputElement>(null)
  useScreenFocus(text)
  return (
    <Text ref={text} tabIndex={-1}>
      Loading…
    </Text>
  )
}
