/** The entry copies the router's key from the entry of the screen, so the router keeps the screen below the dialog. */
const isDialogEntry = (): boolean => (history.state as { dialog?: boolean } | null)?.dialog === true

/**
 * Adds an entry to the browser's history for an open dialog, so that Back leaves the dialog and not the screen.
 * `onBack` returns whether the dialog closed. Returns a function to call when it closes in another way.
 */
export function addBackEntry(onBack: () => boolean): () => void {
  history.pushState({ ...(history.state as object | null), dialog: true }, '')

  function pop(): void {
    if (isDialogEntry()) return
    if (onBack()) removeEventListener('popstate', pop)
    else history.forward()
  }
  addEventListener('popstate', pop)
  return () => {
    removeEventListener('popstate', pop)
    // After a change of the screen, another entry is the current one.
    if (isDialogEntry()) history.back()
  }
}
