import { afterEach, expect, it, vi } from 'vitest'
import { afterPress } from './after-press.ts'

afterEach(() => document.body.replaceChildren())

const press = (type: string, target: EventTarget = document.body) =>
  target.dispatchEvent(new Event(type, { bubbles: true }))

/** Leaving a field while the pointer is down, as a press on a button does. */
function leaveField(action: () => void): void {
  const field = document.createElement('input')
  document.body.append(field)
  field.addEventListener('blur', () => afterPress(action))
  field.focus()
  press('pointerdown')
  field.blur()
}

it('waits for the end of the press when a press on a button leaves a field', async () => {
  vi.useFakeTimers()
  const action = vi.fn<() => void>()
  leaveField(action)
  vi.runAllTimers()
  expect(action).not.toHaveBeenCalled()
  press('pointerup')
  vi.runAllTimers()
  expect(action).toHaveBeenCalledOnce()
  vi.useRealTimers()
})

it('does not wait after the window has lost the focus during a press', () => {
  vi.useFakeTimers()
  const action = vi.fn<() => void>()
  press('pointerdown')
  window.dispatchEvent(new Event('blur'))
  afterPress(action)
  vi.runAllTimers()
  expect(action).toHaveBeenCalledOnce()
  vi.useRealTimers()
})
