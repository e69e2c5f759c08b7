/**
 * Adds an entry to the browser's history for an open dialog, so that Back is about the dialog and not the screen.
 * `onBack` returns whether the dialog closed. Returns a function to call when it closes in another way.
 */
export function addBackEntry(onBack: () => boolean): () => void {
  // An own id, because entries of earlier dialogs survive a reload of the page.
  const id = crypto.randomUUID()
  const isOurs = (): boolean => (history.state as { dialog?: string } | null)?.dialog === id
  // The router ignores an entry with its own key, so that the screen below the dialog stays as it is.
  history.pushState({ ...(history.state as object | null), dialog: id }, '')

  function pop(): void {
    if (isOurs()) return
    if (onBack()) removeEventListener('popstate', pop)
    else history.forward()
  }
  addEventListener('popstate', pop)
  return () => {
    removeEventListener('popstate', pop)
    // After a change of the screen, another entry is the current one.
    if (isOurs()) history.back()
  }
}
