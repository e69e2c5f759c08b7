/** Told of a line; knows nothing of who stands in it. */
export interface LineWatch {
  /** Someone got a place, after so long. */
  waited(seconds: number): void
  /** Someone was sent away. */
  refused(): void
}

export interface Places {
  /** How many are inside, and how many wait in line. */
  state(): { running: number; waiting: number }
  /** Waits in line for a place; what it answers gives the place up again. */
  take(): Promise<() => void>
  /** Holds a place for as long as the task runs. */
  hold<T>(task: () => Promise<T>): Promise<T>
}

/** So many at the same time in this process; the others wait in line. */
export function places(atOnce: number, watch?: Pick<LineWatch, 'waited'>): Places {
  const waiting: (() => void)[] = []
  let taken = 0

  const giveUp = () => {
    // The place goes to the next in line; only without one is it free.
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }
  const take = async () => {
    const asked = performance.now()
    if (taken >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else taken += 1
    watch?.waited((performance.now() - asked) / 1000)
    return giveUp
  }
  return {
    state: () => ({ running: taken, waiting: waiting.length }),
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
