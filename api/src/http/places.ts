export interface Places {
  /** Waits in line for a place; what it answers gives the place up again. */
  take(): Promise<() => void>
  /** Holds a place for as long as the task runs. */
  hold<T>(task: () => Promise<T>): Promise<T>
}

/** So many at the same time in this process; the others wait in line. */
export function places(atOnce: number): Places {
  const waiting: (() => void)[] = []
  let taken = 0

  const giveUp = () => {
    // The place goes to the next in line; only without one is it free.
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }
  const take = async () => {
    if (taken >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else taken += 1
    return giveUp
  }
  return {
    take,
    hold: async (task) => {
      const done = await take()
      try {
        return await task()
      } finally {
        done()
      }
    },
  }
}
