const PRESS_END_EVENTS = ['pointerup', 'pointercancel']
let pressed = false

addEventListener('pointerdown', () => (pressed = true), true)
// The end of a press over a menu or another window is not reported, so the next key also ends a press.
for (const ended of [...PRESS_END_EVENTS, 'contextmenu', 'keydown']) {
  addEventListener(ended, () => (pressed = false), true)
}
// Not in the capture phase, where the blur of each field would also end the press.
addEventListener('blur', () => (pressed = false))

/**
 * Runs the action after the current press. A message that appears while the mouse is down would move
 * the button, and the click would be lost.
 */
export function afterPress(action: () => void): void {
  // `setTimeout`, because a touch fires its mouse events and the click after `pointerup`.
  if (!pressed) return void setTimeout(action)
  const pressEnd = new AbortController()
  const run = () => {
    pressEnd.abort()
    setTimeout(action)
  }
  for (const ended of PRESS_END_EVENTS) addEventListener(ended, run, { signal: pressEnd.signal })
}
