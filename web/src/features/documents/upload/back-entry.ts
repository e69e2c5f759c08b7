/**
 * Adds an entry to the browser's history for an open dialog, so that Back leaves the dialog and not the screen.
 * `onBack` returns whether the dialog closed. Returns a function to call when it closes in another way.
 */
export function addBackEntry(onBack: () => boolean): () => void {
  // A new id, because entries of earlier dialogs survive a reload of the page.
  const id = crypto.randomUUID()
  const isDialogEntry = (): boolean => (history.state as { dialog?: string } | null)?.dialog === id
  // The entry copies the router's key from the entry of the screen, so the router keeps the screen below the dialog.
  history.pushState({ ...(history.state as object | null), dialog: id }, '')

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
