const ENDS = ['pointerup', 'pointercancel']
let pressed = false

addEventListener('pointerdown', () => (pressed = true), true)
// If the end of a press is lost (over a menu or another window), the next key ends it.
for (const ended of [...ENDS, 'contextmenu', 'keydown']) {
  addEventListener(ended, () => (pressed = false), true)
}
// Without capture: only when the window itself loses the focus, because a press also takes it from a field.
addEventListener('blur', () => (pressed = false))

/**
 * Runs the action after the current press. A message that appears while the mouse is down would move
 * the button, and the click would be lost.
 */
export function afterPress(action: () => void): void {
  // A touch fires its mouse events and the click together, after the pointer is up.
  if (!pressed) return void setTimeout(action)
  const over = new AbortController()
  const run = () => {
    over.abort()
    setTimeout(action)
  }
  for (const ended of ENDS) addEventListener(ended, run, { signal: over.signal })
}
