const PREFIX = 'guidon-upload-'

/**
 * Locks an upload against the other tabs of this browser. Returns a function that unlocks it, or undefined if another
 * tab has locked it.
 */
export function lockUpload(id: string): Promise<(() => Promise<void>) | undefined> {
  const { locks } = navigator
  // Only a page with a secure connection has `locks`.
  if (!locks) return Promise.resolve(async () => {})
  return new Promise((resolve) => {
    const ended: Promise<void> = locks.request(PREFIX + id, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(undefined)
      return new Promise<void>((end) =>
        resolve(async () => {
          end()
          await ended
        }),
      )
    })
    // Not allowed in this browser.
    ended.catch(() => resolve(async () => {}))
  })
}

/** The uploads that a tab of this browser is sending. */
export async function lockedUploads(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const names = held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? name : []))
  return new Set(names.map((name) => name.slice(PREFIX.length)))
}
