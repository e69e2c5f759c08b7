const ENDS = ['pointerup', 'pointercancel']
let pressed = false

addEventListener('pointerdown', () => (pressed = true), true)
// Where the end of a press is lost (over a menu or another window), the next key ends it.
for (const ended of [...ENDS, 'contextmenu', 'keydown', 'blur']) {
  addEventListener(ended, () => (pressed = false), true)
}

/**
 * Runs once a press that is under way is over. A message that appears while the mouse is down moves
 * the button away from under it, and the click is lost.
 */
export function afterPress(action: () => void): void {
  // A touch brings its mouse events and the click in one go, after the pointer is up.
  if (!pressed) return void setTimeout(action)
  const over = new AbortController()
  const run = () => {
    over.abort()
    setTimeout(action)
  }
  for (const ended of ENDS) addEventListener(ended, run, { signal: over.signal })
}
