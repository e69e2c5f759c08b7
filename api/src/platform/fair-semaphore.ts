/** Receives figures of a queue; knows nothing of who waits in it. */
export interface QueueMetrics {
  /** A task got its turn, after so long. */
  waited(seconds: number): void
  /** A task was refused. */
  refused(): void
}

export interface FairSemaphoreOptions {
  /** Tasks at the same time, of all keys. */
  atOnce: number
  /** Of one key. */
  atOncePerKey?: number
  /** Tasks of one key that may wait. */
  waitingPerKey?: number
  /** How long a task may wait. */
  waitMs?: number
  watch?: Pick<QueueMetrics, 'waited'>
}

export interface FairSemaphore {
  state(): { running: number; waiting: number }
  /** Waits for a turn; what it returns gives the turn up. Throws `QueueFull`. */
  take(key: string): Promise<() => void>
  /** Runs the task in its turn. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>
}

/** Thrown instead of waiting: the caller knows the words for it. */
export class QueueFull extends Error {
  override name = 'QueueFull'
}

/**
 * Bounds what runs at once in this process. Keys that wait take turns, so that one with a thousand
 * tasks delays another key's first task by one task only.
 */
export function fairSemaphore({
  atOnce,
  atOncePerKey = Infinity,
  waitingPerKey = Infinity,
  waitMs,
  watch,
}: FairSemaphoreOptions): FairSemaphore {
  /** In the order of the keys' turns. */
  const queues = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let taken = 0
  let waiting = 0

  const runningOf = (key: string) => running.get(key) ?? 0

  const start = (key: string) => {
    taken += 1
    running.set(key, runningOf(key) + 1)
  }

  const nextKey = () => {
    for (const key of queues.keys()) if (runningOf(key) < atOncePerKey) return key
    return undefined
  }

  const startNext = () => {
    const key = taken < atOnce ? nextKey() : undefined
    if (key === undefined) return
    const queue = queues.get(key) ?? []
    const next = queue.shift()
    waiting -= 1
    // Behind the other keys.
    queues.delete(key)
    if (queue.length > 0) queues.set(key, queue)
    start(key)
    next?.()
  }

  const finish = (key: string) => {
    taken -= 1
    const left = runningOf(key) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
    startNext()
  }

  const wait = (key: string) =>
    new Promise<void>((resolve, reject) => {
      const queue = queues.get(key) ?? []
      if (queue.length >= waitingPerKey) return reject(new QueueFull('too many wait'))
      const giveUp = () => {
        queue.splice(queue.indexOf(go), 1)
        waiting -= 1
        if (queue.length === 0) queues.delete(key)
        reject(new QueueFull('waited too long'))
      }
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs)
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.push(go)
      waiting += 1
      queues.set(key, queue)
    })

  const take = async (key: string) => {
    const asked = performance.now()
    if (taken < atOnce && runningOf(key) < atOncePerKey) start(key)
    else await wait(key)
    watch?.waited((performance.now() - asked) / 1000)
    let given = false
    return () => {
      if (given) return
      given = true
      finish(key)
    }
  }

  return {
    state: () => ({ running: taken, waiting }),
    take,
    run: async (key, task) => {
      const done = await take(key)
      try {
        return await task()
      } finally {
        done()
      }
    },
  }
}
