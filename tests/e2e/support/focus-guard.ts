import type { BrowserContext } from '@playwright/test'

/**
 * Reports every time the focus falls to `body` or to the frame of a dialog, so that a keyboard or a
 * screen reader starts again from the top. Returns the list of losses, which grows while the journey
 * runs, and a function that waits for losses that are not certain yet.
 *
 * A loss is: something in this document had the focus, and then `body` has it in three checks in a
 * row, 50 ms apart. A page that was just loaded has not lost anything, and neither has one whose
 * user pressed an empty place or left the last element with Tab. An open dialog takes a lost focus
 * to its outer frame before the third check, so the frame counts like `body`.
 */
export async function watchFocus(context: BrowserContext) {
  const losses: string[] = []
  await context.exposeFunction('reportFocusLoss', (loss: string) => losses.push(loss))
  await context.addInitScript(watchDocument)
  return {
    losses,
    settled: () =>
      Promise.all(
        context.pages().map((page) => page.evaluate('window.focusSettled?.()').catch(() => {})),
      ),
  }
}

/** Runs in each document, before its own scripts. */
function watchDocument(): void {
  if (window !== window.top) return
  const CHECK_EVERY_MS = 50
  const CHECKS = 3
  // Taken now, because a journey may install a clock of its own.
  const { setTimeout: later, setInterval: repeat } = window
  const host = window as unknown as {
    reportFocusLoss(loss: string): void
    focusSettled(): Promise<void>
  }
  const actions: string[] = []
  /** Whether something has the focus, or had it and the user did not give it up. */
  let held = false
  let checksAtBody = 0
  /** Whether the user is moving the focus right now, by pressing somewhere or with Tab. */
  let moving = false

  const nameOf = (target: EventTarget | null): string => {
    if (!(target instanceof Element)) return 'the page'
    const pressed = target.closest('button, a, input, select, textarea, label, [role]') ?? target
    const text = pressed.getAttribute('aria-label') ?? pressed.textContent
    return `${pressed.tagName.toLowerCase()} "${text.trim().slice(0, 40)}"`
  }
  const record = (action: string) => {
    actions.push(action)
    if (actions.length > 4) actions.shift()
  }
  const report = (fallenTo: string) => {
    const before = actions.join(', ') || 'no action'
    host.reportFocusLoss(`${location.pathname}: to ${fallenTo} after ${before}`)
    held = false
  }
  const userMoves = () => {
    moving = true
    later(() => (moving = false))
  }

  const listening = { capture: true, passive: true }
  addEventListener('popstate', () => record('Back or Forward'), listening)
  addEventListener('click', ({ target }) => record(`click ${nameOf(target)}`), listening)
  addEventListener('mousedown', userMoves, listening)
  addEventListener(
    'keydown',
    ({ key, target }) => {
      if (key === 'Tab') userMoves()
      record(`${key.length === 1 ? 'a letter' : key} in ${nameOf(target)}`)
    },
    listening,
  )
  addEventListener(
    'focusout',
    ({ relatedTarget }) => {
      if (moving && relatedTarget === null) held = false
    },
    listening,
  )
  addEventListener(
    'focusin',
    ({ target }) => {
      const fallen = target instanceof Element && target.matches('.MuiDialog-container')
      if (fallen && !moving) report('the dialog')
      held = true
    },
    listening,
  )
  const atBody = () =>
    held && (document.activeElement === null || document.activeElement === document.body)
  repeat(() => {
    checksAtBody = atBody() ? checksAtBody + 1 : 0
    if (checksAtBody === CHECKS) report('body')
  }, CHECK_EVERY_MS)
  host.focusSettled = async () => {
    if (atBody()) await new Promise((resolve) => later(resolve, CHECK_EVERY_MS * (CHECKS + 1)))
  }
}
