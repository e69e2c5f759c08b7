/** Runs one task after the other, and skips those that a later one replaces. */
export function latestOnly(): (task: () => Promise<void>) => void {
  let latest = 0
  let queue = Promise.resolve()
  return (task) => {
    latest += 1
    const number = latest
    queue = queue.then(() => (number === latest ? task() : undefined))
  }
}
