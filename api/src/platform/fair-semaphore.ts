export interface QueueMetrics {
  /** A task started after this wait. */
  waited(seconds: number): void
  refused(): void
}

export interface FairSemaphoreOptions {
  /** Tasks of all keys that run at the same time. */
  maxRunning: number
  /** Tasks of one key that run at the same time. */
  maxRunningPerKey?: number
  /** Tasks of one key that may wait. */
  maxWaitingPerKey?: number
  /** The longest wait of a task; without it, tasks wait until a slot is free. */
  maxWaitMs?: number
  metrics?: Pick<QueueMetrics, 'waited'>
}

export interface FairSemaphore {
  state(): { running: number; waiting: number }
  /** Waits for a slot and returns the function that releases it. Throws `QueueFull`. */
  take(key: string): Promise<() => void>
  run<T>(key: string, task: () => Promise<T>): Promise<T>
}

/** Too many tasks wait, or one has waited too long. */
export class QueueFull extends Error {
  override name = 'QueueFull'
}

/**
 * Limits how many tasks run at the same time in this process. Waiting keys take turns, so that a key with a
 * thousand tasks delays another key's first task by one task only.
 */
export function fairSemaphore({
  maxRunning,
  maxRunningPerKey = Infinity,
  maxWaitingPerKey = Infinity,
  maxWaitMs,
  metrics,
}: FairSemaphoreOptions): FairSemaphore {
  /** The keys are in the order of their turns. */
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
    for (const key of queues.keys()) if (runningOf(key) < maxRunningPerKey) return key
    return undefined
  }

  const startNext = () => {
    const key = taken < maxRunning ? nextKey() : undefined
    if (key === undefined) return
    const queue = queues.get(key) ?? []
    const next = queue.shift()
    waiting -= 1
    // The key's next turn comes after those of the other keys.
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
      if (queue.length >= maxWaitingPerKey) return reject(new QueueFull('too many wait'))
      const expire = () => {
        queue.splice(queue.indexOf(go), 1)
        waiting -= 1
        if (queue.length === 0) queues.delete(key)
        reject(new QueueFull('waited too long'))
      }
      const timer = maxWaitMs === undefined ? undefined : setTimeout(expire, maxWaitMs)
      const go = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.push(go)
      waiting += 1
      queues.set(key, queue)
    })

  const take = async (key: string) => {
    const requestedAt = performance.now()
    if (taken < maxRunning && runningOf(key) < maxRunningPerKey) start(key)
    else await wait(key)
    metrics?.waited((performance.now() - requestedAt) / 1000)
    let released = false
    return () => {
      if (released) return
      released = true
      finish(key)
    }
  }

  return {
    state: () => ({ running: taken, waiting }),
    take,
    run: async (key, task) => {
      const release = await take(key)
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
