import { afterEach, expect, it, vi } from 'vitest'
import { afterPointerUp } from './after-pointer-up.ts'

afterEach(() => document.body.replaceChildren())

const dispatch = (type: string, target: EventTarget = document.body) =>
  target.dispatchEvent(new Event(type, { bubbles: true }))

/** Presses elsewhere, which moves the focus out of a field while the pointer is down. */
function leaveField(action: () => void): void {
  const field = document.createElement('input')
  document.body.append(field)
  field.addEventListener('blur', () => afterPointerUp(action))
  field.focus()
  dispatch('pointerdown')
  field.blur()
}

it('runs the action of a blur only after the pointer that caused the blur is released', async () => {
  vi.useFakeTimers()
  const action = vi.fn<() => void>()
  leaveField(action)
  vi.runAllTimers()
  expect(action).not.toHaveBeenCalled()
  dispatch('pointerup')
  vi.runAllTimers()
  expect(action).toHaveBeenCalledOnce()
  vi.useRealTimers()
})

it('does not wait for a release if the window lost the focus while the pointer was down', () => {
  vi.useFakeTimers()
  const action = vi.fn<() => void>()
  dispatch('pointerdown')
  window.dispatchEvent(new Event('blur'))
  afterPointerUp(action)
  vi.runAllTimers()
  expect(action).toHaveBeenCalledOnce()
  vi.useRealTimers()
})
