const POINTER_END_EVENTS = ['pointerup', 'pointercancel']
let pointerDown = false

addEventListener('pointerdown', () => (pointerDown = true), true)
// A release over a menu or another window is not reported, so the next key also counts as a release.
for (const ended of [...POINTER_END_EVENTS, 'contextmenu', 'keydown']) {
  addEventListener(ended, () => (pointerDown = false), true)
}
// Not in the capture phase, where the blur of each field would count too, not only that of the window.
addEventListener('blur', () => (pointerDown = false))

/**
 * Runs the action after the mouse button or finger is released. For a blur that is caused by pressing a button:
 * a message that appears while the button is held down would move the button, and the click would be lost.
 */
export function afterPointerUp(action: () => void): void {
  // `setTimeout`, because a touch fires its mouse events and the click after `pointerup`.
  if (!pointerDown) return void setTimeout(action)
  const released = new AbortController()
  const run = () => {
    released.abort()
    setTimeout(action)
  }
  for (const ended of POINTER_END_EVENTS) addEventListener(ended, run, { signal: released.signal })
}
