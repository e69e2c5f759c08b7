import { percentile } from './statistics.ts'

export interface Loop {
  concurrency: number
  warmUpMs: number
  ms: number
}

export interface LoopResult {
  /** Successful calls per second. */
  rate: number
  /** Milliseconds of the successful calls. */
  p50: number
  p95: number
}

/** Closed-loop load: `concurrency` clients, each of which starts its next call when its last one has ended. */
export async function closedLoop(
  { concurrency, warmUpMs, ms }: Loop,
  call: (client: number) => Promise<boolean>,
): Promise<LoopResult> {
  const measureFrom = performance.now() + warmUpMs
  const measureUntil = measureFrom + ms
  const times: number[] = []
  const run = async (index: number) => {
    for (let started = performance.now(); started < measureUntil;) {
      const ok = await call(index)
      const now = performance.now()
      if (ok && now >= measureFrom && now < measureUntil) times.push(now - started)
      started = now
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, index) => run(index)))
  return {
    rate: (times.length * 1000) / ms,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  }
}

/** Open-loop load: starts calls at a fixed rate, without waiting for the earlier ones. */
export async function openLoop<T>(
  { perSecond, ms }: { perSecond: number; ms: number },
  call: () => Promise<T>,
): Promise<T[]> {
  const calls: Promise<T>[] = []
  const started = performance.now()
  await new Promise<void>((resolve) => {
    const tick = setInterval(() => {
      const passed = performance.now() - started
      const due = (Math.min(passed, ms) * perSecond) / 1000
      while (calls.length < due) calls.push(call())
      if (passed < ms) return
      clearInterval(tick)
      resolve()
    }, 1)
  })
  return Promise.all(calls)
}
