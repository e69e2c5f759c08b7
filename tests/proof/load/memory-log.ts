/** Loaded into a process of the product with `--import`: logs after each major garbage collection how much is in use. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

interface Collection {
  detail: { kind: number }
}

const dir = new URL(import.meta.url).searchParams.get('dir')!
const file = join(dir, String(process.pid))
const observer = new PerformanceObserver((list) => {
  const collections = list.getEntries() as unknown as Collection[]
  const isMajor = ({ detail }: Collection) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  if (!collections.some(isMajor)) return
  const { heapUsed, external } = process.memoryUsage()
  appendFileSync(file, `${Date.now()} ${heapUsed + external}\n`)
})
if (isMainThread) observer.observe({ entryTypes: ['gc'] })
