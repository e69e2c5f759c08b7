/** Lets so many tasks run at the same time; the others wait in line. */
export function bounded(atOnce: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The place goes to the next in line, if there is one.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
